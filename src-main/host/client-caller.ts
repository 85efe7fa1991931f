import type { IncomingHttpHeaders } from 'node:http';
import type { Cause } from '#domain/run/journal';

/** Names what a command imports, for the journal. */
const IMPORT_HEADER = 'tagwright-import';
/** Characters of such a name. */
const LONGEST = 200;

/** The headers of a connection whose client imports the file or folder. */
export function importHeaders(name: string | undefined): Record<string, string> {
  return name === undefined ? {} : { [IMPORT_HEADER]: encodeURIComponent(name.slice(0, LONGEST).toWellFormed()) };
}

/** Who uses a connection: a page of a browser sends its origin, a program does not. */
export function callerOf(headers: IncomingHttpHeaders): Cause {
  const from = headers.origin === undefined ? 'command line' : 'window';
  const name = headers[IMPORT_HEADER];
  return typeof name === 'string' ? { by: 'import', from, what: decoded(name) } : { by: 'person', from };
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name).slice(0, LONGEST);
  } catch {
    return '';
  }
}
