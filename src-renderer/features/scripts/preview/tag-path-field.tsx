import { Combobox, Option } from '@fluentui/react-components';
import { useEffect, useState } from 'react';
import { useWorkbench } from '../../../frame/workbench.ts';

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
    <Combobox
      freeform
      size="small"
      placeholder="Path of the tag that the script runs for"
      value={value}
      selectedOptions={paths.includes(value) ? [value] : []}
      open={open && paths.length > 0}
      onOpenChange={(_event, { open: next }) => setOpen(next)}
      onChange={(event) => {
        setOpen(true);
        onChange(event.target.value);
      }}
      onOptionSelect={(_event, { optionText }) => {
        onChange(optionText ?? '');
        setOpen(false);
      }}
    >
      {paths.map((path) => (
        <Option key={path}>{path}</Option>
      ))}
    </Combobox>
  );
}
