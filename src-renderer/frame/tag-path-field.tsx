import { useEffect, useMemo, useState } from 'react';
import type { TagDefinition } from '#domain/tag/tag';
import { SuggestField } from '../ui/fields/suggest-field.tsx';
import { PathCell } from '../ui/text/path-cell.tsx';
import { pathTracks } from '../ui/text/path-parts.ts';
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
  const [found, setFound] = useState<{ text: string; tags: readonly TagDefinition[] }>({ text: '', tags: [] });

  useEffect(() => {
    if (!open) return undefined;
    const end = new AbortController();
    const timer = setTimeout(() => {
      client.tags.complete({ text: value, limit: MOST }, { signal: end.signal }).then(
        ({ tags }) => setFound({ text: value, tags }),
        () => undefined,
      );
    }, 80);
    return () => {
      clearTimeout(timer);
      end.abort();
    };
  }, [client, open, value]);

  // Until the completions of the current text have arrived, no key may select an older one.
  const all = found.tags.map(({ path }) => path);
  const paths = found.text === value ? all : all.filter((path) => matchesWords(path, value.trim()));
  const lines = useMemo(() => {
    const tracks = pathTracks(found.tags.map(({ path }) => path));
    return new Map(
      found.tags.map(({ path, kind }) => [path, <PathCell key={path} path={path} kind={kind} tracks={tracks} />]),
    );
  }, [found.tags]);
  return (
    <SuggestField
      {...rest}
      size="small"
      value={value}
      choices={paths}
      lines={lines}
      open={open}
      onOpenChange={setOpen}
      onChange={(path) => {
        setOpen(!paths.includes(path));
        onChange(path);
      }}
    />
  );
}
