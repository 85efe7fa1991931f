import type { ServerResponse } from 'node:http';
import { OAuth2Server } from 'oauth2-mock-server';
import type { FarRequest, RemoteServer } from '../../support/services/remote-server.ts';
import { startRemoteServer } from '../../support/services/remote-server.ts';

export const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

/** How the document service currently behaves. */
export interface Behavior {
  search: (response: ServerResponse, request: FarRequest) => void;
  image: (response: ServerResponse) => void;
}

export interface Platform {
  /** The token endpoint of a real OAuth server. */
  tokenUrl: string;
  /** The API of a document service that requires a bearer token of that server. */
  apiUrl: string;
  documents: RemoteServer;
  /** The bodies that the token endpoint received. */
  tokenRequests: Record<string, unknown>[];
  behavior: Behavior;
  /** Makes the next token request fail. */
  refuseToken(status: number, body: Record<string, unknown>): void;
  close(): Promise<void>;
}

const json = (response: ServerResponse, value: unknown) =>
  void response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));

export const USUAL: Behavior = {
  search: (response) => json(response, { items: [{ id: 'LBL-0041' }, { id: 'LBL-0042' }] }),
  image: (response) => void response.writeHead(200, { 'Content-Type': 'image/png' }).end(PNG),
};

/** An identity platform and a document service as real servers on loopback. */
export async function startPlatform(): Promise<Platform> {
  const oauth = new OAuth2Server();
  await oauth.issuer.keys.generate('RS256');
  await oauth.start(0, '127.0.0.1');
  const tokens = new Set<string>();
  const tokenRequests: Record<string, unknown>[] = [];
  oauth.service.on('beforeResponse', (reply: { body: unknown }, request: { body: unknown }) => {
    tokenRequests.push({ ...Object(request.body) });
    const body: { access_token?: unknown } = Object(reply.body);
    if (typeof body.access_token === 'string') tokens.add(body.access_token);
  });
  const platform: Pick<Platform, 'behavior'> = { behavior: { ...USUAL } };
  const documents = await startRemoteServer((request, response) => {
    const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
    if (!tokens.has(token)) {
      response.writeHead(401, { 'Content-Type': 'application/json' }).end('{"error":"unauthorized"}');
    } else if (request.url.startsWith('/api/documents?search=')) {
      platform.behavior.search(response, request);
    } else if (request.url === '/api/documents/LBL-0042/stream') {
      platform.behavior.image(response);
    } else {
      response.writeHead(404).end();
    }
  });
  return Object.assign(platform, {
    tokenUrl: `http://127.0.0.1:${oauth.address().port}/token`,
    apiUrl: `${documents.base}/api`,
    documents,
    tokenRequests,
    refuseToken: (status: number, body: Record<string, unknown>) => {
      oauth.service.once('beforeResponse', (reply: { statusCode: number; body: unknown }) => {
        reply.statusCode = status;
        reply.body = body;
      });
    },
    close: async () => {
      await documents.close();
      await oauth.stop();
    },
  });
}
