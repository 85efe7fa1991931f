import { useEffect, useState } from 'react';
import { SuggestField } from '../ui/fields/suggest-field.tsx';
import { matchesWords } from './palette/palette-filter.ts';
import { useWorkbench } from './workbench.ts';

const MOST = 30;

interface Props {
  value: string;
  placeholder: string;
  /** Absent: the field is named by the `Field` around it. */
  'aria-label'?: string;
  autoFocus?: boolean;
  onChange: (path: string) => void;
}

/** A tag path, with the paths that complete what was typed. */
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

  // Until what fits the text of now has come, no key may choose a path that does not.
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
