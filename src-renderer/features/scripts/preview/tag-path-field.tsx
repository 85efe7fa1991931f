import { useEffect, useState } from 'react';
import { useWorkbench } from '../../../frame/workbench.ts';
import { SuggestField } from '../../../ui/suggest-field.tsx';

const MOST = 30;

interface Props {
  value: string;
  onChange: (path: string) => void;
}

/** A tag path, with the paths that complete what was typed. */
export function TagPathField({ value, onChange }: Props) {
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
      size="small"
      placeholder="Path of the tag that the script runs for"
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
