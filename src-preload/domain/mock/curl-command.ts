import type { ApiExchange } from './api-call.ts';

export interface CurlCommand {
  /** For a POSIX shell. */
  text: string;
  /** What the user must complete, as sentences; empty if nothing. */
  notes: string[];
}

/** What the log shows in place of a secret. */
const MASKED = /\*\*\*|\{\{\s*secret:|%7B%7B\s*secret/i;

/** The request of an API call for curl. It is as masked as the call: secrets are to be inserted by hand. */
export function curlCommand({ method, url, request }: Pick<ApiExchange, 'method' | 'url' | 'request'>): CurlCommand {
  const { headers, body, bytes } = request;
  const isWhole = body === null ? bytes === 0 : !body.endsWith('…') && !body.includes('\0');
  const data = body !== null && isWhole && body !== '' ? body : null;
  const lines = [
    // Braces and brackets are patterns for curl otherwise.
    `curl ${/[[\]{}]/.test(url) ? '--globoff ' : ''}${quoted(url)}`,
    ...(method === (data === null ? 'GET' : 'POST') ? [] : [`--request ${quoted(method)}`]),
    ...headers.map(([name, value]) => `--header ${quoted(value === '' ? `${name};` : `${name}: ${value}`)}`),
    // curl adds the type of a form otherwise.
    ...(data !== null && !headers.some(([name]) => /^content-type$/i.test(name)) ? [`--header 'Content-Type:'`] : []),
    ...(data === null ? [] : [`--data-raw ${quoted(data)}`]),
  ];
  return {
    text: lines.join(' \\\n  '),
    notes: [
      ...(lines.some((line) => MASKED.test(line)) ? ['Insert the secrets: they are masked.'] : []),
      ...(isWhole ? [] : ['The body is missing, because the log does not have all of it.']),
    ],
  };
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
