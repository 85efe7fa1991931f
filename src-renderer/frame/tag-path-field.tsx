import { useEffect, useState } from 'react';
import { SuggestField } from '../ui/fields/suggest-field.tsx';
import { matchesWords } from './palette/palette-filter.ts';
import { useWorkbench } from './workbench.ts';

const MOST = 30;

interface Props {
  value: string;
  placeholder: string;
  /** Default: the `Field` around it names the field. */
  'aria-label'?: string;
  'aria-invalid'?: boolean;
  autoFocus?: boolean;
  onChange: (path: string) => void;
}

/** A tag path with completion. */
export function TagPathField({ value, onChange, ...rest }: Props) {
  const { client } = useWorkbench();
  const [open, setOpen] = useState(false);
  const [found, setFound] = useState<{ text: string; paths: string[] }>({ text: '', paths: [] });

  useEffect(() => {
    if (!open) return undefined;
    const end = new AbortController();
    const timer = setTimeout(() => {
      client.tags.complete({ text: value, limit: MOST }, { signal: end.signal }).then(
        ({ tags }) => setFound({ text: value, paths: tags.map(({ path }) => path) }),
        () => undefined,
      );
    }, 80);
    return () => {
      clearTimeout(timer);
      end.abort();
    };
  }, [client, open, value]);

  // Until the completions of the current text have arrived, no key may select an older one.
  const paths = found.text === value ? found.paths : found.paths.filter((path) => matchesWords(path, value.trim()));
  return (
    <SuggestField
      {...rest}
      size="small"
      value={value}
      choices={paths}
      open={open}
      onOpenChange={setOpen}
      onChange={(path) => {
        setOpen(!paths.includes(path));
        onChange(path);
      }}
    />
  );
}
