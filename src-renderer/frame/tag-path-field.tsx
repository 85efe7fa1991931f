import { useEffect, useState } from 'react';
import { SuggestField } from '../ui/suggest-field.tsx';
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
  const [paths, setPaths] = useState<string[]>([]);

  useEffect(() => {
    if (!open) return undefined;
    const end = new AbortController();
    const timer = setTimeout(() => {
      client.tags.complete({ text: value, limit: MOST }, { signal: end.signal }).then(
        ({ tags }) => setPaths(tags.map(({ path }) => path)),
        () => undefined,
      );
    }, 80);
    return () => {
      clearTimeout(timer);
      end.abort();
    };
  }, [client, open, value]);

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
