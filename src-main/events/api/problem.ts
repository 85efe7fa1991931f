import type { ServerResponse } from 'node:http';
import { STATUS_CODES } from 'node:http';
import { z } from 'zod';

/**
 * Every possible error of a call: a closed table, which the reference page lists. The key is the last part of the
 * problem's `type`; `detail` is written where the error occurs and describes what to send instead.
 */
export const PROBLEMS = {
  'malformed-request': { status: 400, title: 'The request is not valid HTTP' },
  'invalid-id': { status: 400, title: 'The id is not a positive integer' },
  'invalid-query': { status: 400, title: 'A query parameter does not fit' },
  'invalid-body': { status: 400, title: 'The body does not fit' },
  unauthorized: { status: 401, title: 'The API key is missing or wrong' },
  'foreign-origin': { status: 403, title: 'Pages of other origins are not served' },
  'no-such-event': { status: 404, title: 'There is no such event' },
  'no-such-path': { status: 404, title: 'There is nothing at this path' },
  'method-not-allowed': { status: 405, title: 'The method is not allowed here' },
  'request-timeout': { status: 408, title: 'The request came too slowly' },
  'body-too-large': { status: 413, title: 'The body is too large' },
  'not-json': { status: 415, title: 'The body is not sent as JSON' },
  'foreign-host': { status: 421, title: 'The Host header does not name this server' },
  'too-many-requests': { status: 429, title: 'Too many requests (only as an injected fault)' },
  'headers-too-large': { status: 431, title: 'The headers are too large' },
  internal: { status: 500, title: 'A fault of Tagwright itself' },
  busy: { status: 503, title: 'Not now' },
  'storage-full': { status: 507, title: 'The disk is full' },
} as const;

export type ProblemName = keyof typeof PROBLEMS;

/** The body of every error: RFC 9457. */
export const problemShape = z
  .object({
    type: z.string().meta({
      description: 'The type of the problem: its place on the reference page, stable, for programs to compare.',
      examples: ['/api/docs#problem-invalid-id'],
    }),
    title: z.string().meta({ description: 'The problem in a few words, always the same for a type.' }),
    status: z.int().meta({ description: 'The same status code.' }),
    detail: z.string().meta({ description: 'What was wrong with this call, and what to send instead.' }),
  })
  .meta({ description: 'What was wrong with a call (RFC 9457).' });

export const PROBLEM_TYPE = 'application/problem+json';

export function problemOf(name: ProblemName, detail: string): z.infer<typeof problemShape> {
  const { status, title } = PROBLEMS[name];
  return { type: `/api/docs#problem-${name}`, title, status, detail };
}

/** Responds with a problem; only closes the connection if a response has already begun. */
export function sendProblem(
  response: ServerResponse,
  name: ProblemName,
  detail: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const body = Buffer.from(JSON.stringify(problemOf(name, detail)));
  response.writeHead(PROBLEMS[name].status, {
    'Content-Type': PROBLEM_TYPE,
    'Content-Length': body.length,
    'Cache-Control': 'no-store',
    ...headers,
  });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}

/** A whole response as bytes, for requests that are too malformed to have a response object. */
export function rawProblem(name: ProblemName, detail: string): string {
  const { status } = PROBLEMS[name];
  const body = JSON.stringify(problemOf(name, detail));
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    `Content-Type: ${PROBLEM_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
