import type { ServerResponse } from 'node:http';

/** On the response to a change, and to a GET of an event, that the site has not applied yet. */
export const PENDING = 'Tagwright-Pending';

/** Sets when the site last sent its changes: RFC 3339 in UTC, or `never`. */
export function mirroredAt(response: ServerResponse, at: Date | null): void {
  response.setHeader('Tagwright-Mirrored-At', at?.toISOString() ?? 'never');
}

/** The age of a list of several sites is that of the site that is furthest behind. */
export function oldestMirror(response: ServerResponse, sites: readonly { mirroredAt: Date | null }[]): void {
  const times = sites.map(({ mirroredAt: at }) => at?.getTime() ?? null);
  const known = times.filter((time) => time !== null);
  mirroredAt(response, known.length === times.length && known.length > 0 ? new Date(Math.min(...known)) : null);
}

/** A problem of the gateway itself: RFC 9457, as those of the events API. */
export function sendGatewayProblem(
  response: ServerResponse,
  problem: { status: number; name: string; title: string; detail: string },
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.headersSent) return void response.destroy();
  const { status, name, title, detail } = problem;
  sendJson(
    response,
    status,
    { type: `/sites#problem-${name}`, title, status, detail },
    {
      'Content-Type': 'application/problem+json',
      ...headers,
    },
  );
}

export function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  const body = Buffer.from(JSON.stringify(value));
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': body.length,
    'Cache-Control': 'no-store',
    ...headers,
  });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}
