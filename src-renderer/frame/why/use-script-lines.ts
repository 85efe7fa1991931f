import { useEffect, useState } from 'react';
import type { JournalScript } from '#domain/run/journal';
import type { Client } from '../../client/client.ts';

/** Versions whose bodies are read for one explanation. */
const MOST_VERSIONS = 12;
const LONGEST_LINE = 200;
/** Scripts that one explanation names. */
const MOST_SCRIPTS = 1_000;

/** A version of a script that an explanation names. */
export interface ScriptOfLine {
  script: JournalScript;
  /** When it ran, RFC 3339: later, another script can have its name. */
  at: string;
  /** Whether a line of it is shown. */
  hasLine?: boolean;
}

interface KnownScript {
  id: number;
  /** The current version; null if it was deleted. */
  version: number | null;
}

/** The scripts of an explanation, as far as they exist, and lines of their versions. */
export interface ScriptLines {
  scriptOf: (script: JournalScript, at: string) => KnownScript | null;
  /** null until it is read, and if there is none. */
  lineOf: (script: JournalScript, at: string, line: number) => string | null;
}

const keyOf = ({ name, version }: JournalScript, at: string): string => `${at} ${version} ${name}`;

/** The script in its editor, or the text of the version that ran, if it is another one. */
export const targetOf = ({ version }: JournalScript, known: KnownScript): string =>
  version === known.version ? String(known.id) : `version:${known.id}:${version}`;

/** Reads the scripts that an explanation names; the same array for the same explanation. */
export function useScriptLines(client: Pick<Client, 'scripts'>, named: readonly ScriptOfLine[] | null): ScriptLines {
  const [known, setKnown] = useState<{ named: typeof named; byKey: ReadonlyMap<string, KnownScript> } | null>(null);
  const [bodies, setBodies] = useState<ReadonlyMap<string, readonly string[]>>(new Map());
  useEffect(() => {
    if (!named || named.length === 0) return undefined;
    const end = new AbortController();
    const options = { signal: end.signal };
    const load = async () => {
      const wanted = [...new Map(named.map((one) => [keyOf(one.script, one.at), one])).values()].slice(0, MOST_SCRIPTS);
      const versions = wanted.map(({ script, at }) => ({ ...script, at }));
      const scripts = await client.scripts.named({ versions }, options);
      const found = wanted.flatMap((one, index) => {
        const script = scripts[index];
        return script ? [{ ...one, key: keyOf(one.script, one.at), id: script.id, known: script }] : [];
      });
      if (end.signal.aborted) return;
      setKnown({ named, byKey: new Map(found.map((one) => [one.key, one.known])) });
      const withLine = new Set(named.filter(({ hasLine }) => hasLine).map(({ script, at }) => keyOf(script, at)));
      const read = new Map(
        found.filter(({ key }) => withLine.has(key)).map((one) => [bodyKey(one.id, one.script), one]),
      );
      for (const [key, { id, script }] of [...read].slice(0, MOST_VERSIONS)) {
        const version = await client.scripts.version({ id, version: script.version }, options).catch(() => null);
        if (end.signal.aborted) return;
        if (version) setBodies((before) => new Map(before).set(key, version.body.split('\n')));
      }
    };
    // The explanation is complete without them.
    load().catch(() => undefined);
    return () => end.abort();
  }, [client, named]);
  // A script can have been saved since the previous explanation.
  const scriptOf = (script: JournalScript, at: string) =>
    (known?.named === named ? known?.byKey.get(keyOf(script, at)) : null) ?? null;
  return {
    scriptOf,
    lineOf: (script, at, line) => {
      const id = scriptOf(script, at)?.id;
      const body = id === undefined ? undefined : bodies.get(bodyKey(id, script));
      return body?.[line - 1]?.trim().slice(0, LONGEST_LINE) ?? null;
    },
  };
}

const bodyKey = (id: number, { version }: JournalScript): string => `${id} ${version}`;
