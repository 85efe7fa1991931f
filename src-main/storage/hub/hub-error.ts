import type { DatabaseError } from 'pg';
import { TagwrightError } from '../../platform/errors.ts';

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const WHAT_TO_DO: readonly (readonly [RegExp, string])[] = [
  [/^28/, 'The database rejected the role or its password. Check the address of the hub.'],
  [/^3D000/, 'The database does not exist. Check the name at the end of the address.'],
  [/^42501/, 'The role may not do this. Use the address that "tagwright hub" printed for it.'],
  [/^(3F000|42P01)/, 'The database is not a hub yet. Run "tagwright hub init" with its address.'],
  [/^53100/, 'The disk of the database is full.'],
  [/^53/, 'The database has no memory or connections left.'],
  [/^(25006|57P0)/, 'The database is read-only, starting, or shutting down.'],
];

/** A failure of PostgreSQL or of its connection as an error of the closed set; the original is its cause. */
export function hubError(thrown: unknown): TagwrightError {
  if (thrown instanceof TagwrightError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const code = isOfDatabase(thrown) ? (thrown.code ?? '') : '';
  const hint = WHAT_TO_DO.find(([codes]) => codes.test(code))?.[1] ?? 'Check that the database is running.';
  return new TagwrightError(
    code === '53100' ? 'STORAGE_FULL' : 'UNAVAILABLE',
    `The database of the hub failed: ${message}. ${hint}`,
    {
      cause: thrown,
      data: { reason: code },
    },
  );
}

/** pg names an error after its message of the protocol. By its class, every workspace would load the library. */
const isOfDatabase = (thrown: unknown): thrown is DatabaseError => thrown instanceof Error && thrown.name === 'error';
