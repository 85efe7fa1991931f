import { useEffect, useState } from 'react';
import type { JournalScript } from '#domain/run/journal';
import type { Why } from '#domain/run/why';
import type { Client } from '../../client/client.ts';

/** Versions whose bodies are read for one explanation. */
const MOST_VERSIONS = 12;
const LONGEST_LINE = 200;

interface KnownScript {
  id: number;
  /** The current version. */
  version: number;
}

/** The scripts of an explanation, as far as they exist, and lines of their versions. */
export interface ScriptLines {
  scriptOf: (script: JournalScript) => KnownScript | null;
  /** null until it is read, and if there is none. */
  lineOf: (script: JournalScript, line: number) => string | null;
}

const keyOf = ({ name, version }: JournalScript): string => `${version} ${name}`;

/** The script in its editor, or the text of the version that ran, if it is another one. */
export const targetOf = ({ version }: JournalScript, known: KnownScript): string =>
  version === known.version ? String(known.id) : `version:${known.id}:${version}`;

/** Reads the scripts that an explanation names. */
export function useScriptLines(client: Pick<Client, 'scripts'>, why: Why | null): ScriptLines {
  const [known, setKnown] = useState<{ why: Why; byName: ReadonlyMap<string, KnownScript> } | null>(null);
  const [bodies, setBodies] = useState<ReadonlyMap<string, readonly string[]>>(new Map());
  useEffect(() => {
    if (!why) return undefined;
    const end = new AbortController();
    const options = { signal: end.signal };
    const load = async () => {
      const all = await client.scripts.list(undefined, options);
      const byName = new Map(all.scripts.map(({ id, group, name, version }) => [`${group}/${name}`, { id, version }]));
      if (!end.signal.aborted) setKnown({ why, byName });
      const shown = why.causes.flatMap(({ script, line }) => (script && line !== undefined ? [script] : []));
      const versions = [...new Map(shown.map((script) => [keyOf(script), script])).values()];
      for (const script of versions.slice(0, MOST_VERSIONS)) {
        const found = byName.get(script.name);
        if (!found) continue;
        // A script with this name can be another one, without such a version.
        const version = await client.scripts
          .version({ id: found.id, version: script.version }, options)
          .catch(() => null);
        if (end.signal.aborted) return;
        if (version) setBodies((before) => new Map(before).set(keyOf(script), version.body.split('\n')));
      }
    };
    // The explanation is complete without them.
    load().catch(() => undefined);
    return () => end.abort();
  }, [client, why]);
  return {
    // A script can have been saved since the previous explanation.
    scriptOf: ({ name }) => (known?.why === why ? known?.byName.get(name) : null) ?? null,
    lineOf: (script, line) => bodies.get(keyOf(script))?.[line - 1]?.trim().slice(0, LONGEST_LINE) ?? null,
  };
}
