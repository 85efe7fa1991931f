import { protocol } from 'electron';
import { APP_ORIGIN } from '#contract/bridge';
import type { RendererFiles } from '../host/renderer-files.ts';
import { SECURITY_HEADERS } from '../host/renderer-files.ts';
import { isOurPage } from './trusted-sender.ts';

const SCHEME = new URL(APP_ORIGIN).protocol.slice(0, -1);

/** Makes pages of our scheme ordinary, secure ones. Electron requires this before it is ready. */
export function declareAppProtocol(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);
}

/** Serves the built renderer at `app://tagwright/`; nothing else on the disk can be reached. */
export function serveAppProtocol(files: RendererFiles): void {
  protocol.handle(SCHEME, async (request) => {
    const url = new URL(request.url);
    const file = request.method === 'GET' && isOurPage(request.url) ? await files.find(url.pathname) : null;
    if (!file) return new Response('Not found', { status: 404, headers: SECURITY_HEADERS });
    return new Response(file.body, { headers: { ...SECURITY_HEADERS, ...file.headers } });
  });
}
