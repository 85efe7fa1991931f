import { useMemo } from 'react';
import { formatOfOutput } from '#domain/rule/rule-preview';
import type { RuleOutput } from '#domain/rule/rule';
import type { Client } from './client.ts';
import { useQuery } from './use-query.ts';

/** The number formats of the tags that have one, by path. */
export type TagFormats = ReadonlyMap<string, string>;

const NONE: TagFormats = new Map();

/** The number formats of all tags, kept current while `active`. */
export function useTagFormats(client: Pick<Client, 'tags'>, active: boolean): TagFormats {
  const query = useMemo(
    () => ({
      read: async (signal: AbortSignal) => new Map(Object.entries(await client.tags.formats(undefined, { signal }))),
      changes: [(signal: AbortSignal) => client.tags.changes(undefined, { signal })],
    }),
    [client],
  );
  return useQuery(query, active).data ?? NONE;
}

/** The number formats of the outputs of a rule that are in the unit of their tag, by name. */
export function outputFormats(outputs: readonly RuleOutput[], formats: TagFormats): TagFormats {
  return new Map(
    outputs.flatMap((output) => {
      const format = formatOfOutput(output, formats.get(output.tag));
      return format === undefined ? [] : [[output.name, format] as const];
    }),
  );
}
