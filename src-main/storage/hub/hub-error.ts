import type { DatabaseError } from 'pg';
import { TagwrightError } from '../../platform/errors.ts';

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const WHAT_TO_DO: readonly (readonly [RegExp, string])[] = [
  [/^28/, 'The database rejected the role or its password. Check the address of the hub.'],
  [/^3D000/, 'The database does not exist. Check the name at the end of the address.'],
  [
    /^42501/,
    'The role may not do this. A site uses the address that "tagwright hub sites add" printed; "hub" and "gateway keys" use that of the role that owns the hub.',
  ],
  [/^(3F000|42P01)/, 'The database is not a hub yet. Run "tagwright hub init" with its address.'],
  [/^53100/, 'The disk of the database is full.'],
  [/^53/, 'The database has no memory or connections left.'],
  [/^(25006|57P0)/, 'The database is read-only, starting, or shutting down.'],
];

/** Failures before PostgreSQL responds with a code: of the address, and of the connection. */
const OF_CONNECTION: readonly (readonly [RegExp, string])[] = [
  [/password must be a string/i, 'The address has no password: it is postgres://USER:PASSWORD@HOST:5432/DATABASE.'],
  [/^Invalid URL|URI malformed/, 'Check the address of the hub: postgres://USER:PASSWORD@HOST:5432/DATABASE.'],
  [
    /not support SSL/,
    'Turn on "ssl" at the database, or remove sslmode from the address if no one else can read the connection.',
  ],
  [
    /certificate|altname|SSL|TLS/i,
    'Give the database a certificate that this machine trusts and that names the host of the address, or add "sslrootcert=FILE" to the address.',
  ],
  [/ENOTFOUND|EAI_AGAIN/, 'Check the host in the address of the hub.'],
];

/** A failure of PostgreSQL or of its connection as an error of the closed set; the original is its cause. */
export function hubError(thrown: unknown): TagwrightError {
  if (thrown instanceof TagwrightError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const code = isOfDatabase(thrown) ? (thrown.code ?? '') : '';
  const hint =
    WHAT_TO_DO.find(([codes]) => codes.test(code))?.[1] ??
    (code === '' ? OF_CONNECTION.find(([words]) => words.test(message))?.[1] : null) ??
    'Check that the database is running, and that this machine can reach it.';
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
