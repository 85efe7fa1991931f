import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:http';
import { listenOnLoopback } from '../../../src-main/platform/http/loopback.ts';

/** A request as a hostile server received it. */
export interface Seen {
  url: string;
  cookie: string;
}

export interface HostileServer {
  readonly port: number;
  readonly seen: Seen[];
  close(): Promise<void>;
}

/**
 * A server of another program on this machine. `/redirect?to=URL` redirects there with a status that keeps the method,
 * `/plant?name=N` sets a cookie with that name in every way, and everything else is an empty page.
 */
export async function startHostileServer(): Promise<HostileServer> {
  const seen: Seen[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://hostile');
    seen.push({ url: request.url ?? '', cookie: request.headers.cookie ?? '' });
    response.setHeader('Content-Type', 'text/html');
    response.setHeader('Access-Control-Allow-Origin', '*');
    if (pathname === '/redirect') response.writeHead(307, { Location: searchParams.get('to') ?? '' });
    if (pathname === '/plant') {
      const name = searchParams.get('name') ?? '';
      response.setHeader('Set-Cookie', [
        `${name}=planted; Path=/`,
        `${name}=planted; Path=/rpc`,
        `${name}x=planted; Path=/`,
      ]);
    }
    response.end('<!doctype html><title>hostile</title>');
  });
  const port = await listenOnLoopback(server, 0);
  return {
    port,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The target of an attack. */
export interface Aim {
  events: string;
  ui: string;
  /** An unused link. */
  link: string;
  /** The URL of the hostile server, for redirects. */
  self: string;
}

/**
 * Runs in a hostile page: tries every way a page can reach another origin, waits until every attempt has ended, and
 * resolves to what it could read.
 */
export async function attackFromPage({ events, ui, link, self }: Aim): Promise<string[]> {
  const read: string[] = [];
  const targets = [`${events}/api/events`, `${events}/api/events/1`, `${ui}/`, `${ui}/session`, link];
  const settled = (element: HTMLElement, what: string) =>
    new Promise<void>((resolve) => {
      const end = (reached: boolean) => {
        if (reached) read.push(what);
        resolve();
      };
      element.addEventListener('load', () => end(true));
      element.addEventListener('error', () => end(false));
      // Browsers report nothing for some blocked elements.
      setTimeout(() => end(false), 3_000);
      document.body.append(element);
    });
  const work: Promise<unknown>[] = [];

  for (const target of targets) {
    for (const to of [target, `${self}/redirect?to=${encodeURIComponent(target)}`]) {
      for (const method of ['GET', 'PUT', 'DELETE', 'POST']) {
        for (const mode of ['cors', 'no-cors'] as const) {
          if (mode === 'no-cors' && (method === 'PUT' || method === 'DELETE')) continue;
          const headers = { 'Content-Type': mode === 'cors' ? 'application/json' : 'text/plain' };
          const body = method === 'GET' ? null : '{"Active":false}';
          const sent = fetch(to, { method, mode, credentials: 'include', headers, body });
          work.push(
            sent.then(
              async (reply) => {
                const text = await reply.text().catch(() => '');
                if (reply.type !== 'opaque' || text !== '') read.push(`${method} ${mode} ${to}`);
              },
              () => {},
            ),
          );
        }
      }
    }
    const image = new Image();
    image.src = target;
    work.push(settled(image, `image ${target}`));
    const script = document.createElement('script');
    script.src = target;
    work.push(settled(script, `script ${target}`));
    const style = document.createElement('link');
    style.rel = 'stylesheet';
    style.href = target;
    work.push(settled(style, `stylesheet ${target}`));
    const prefetch = document.createElement('link');
    prefetch.rel = 'prefetch';
    prefetch.href = target;
    work.push(settled(prefetch, `prefetch ${target}`));
    const rules = document.createElement('script');
    rules.type = 'speculationrules';
    rules.textContent = JSON.stringify({ prefetch: [{ urls: [target], eagerness: 'immediate' }] });
    document.body.append(rules);
    navigator.sendBeacon(target, '{"Active":false}');
    // A frame always reports that it was loaded, so only its readable content counts.
    const frame = document.createElement('iframe');
    frame.name = `frame-${work.length}`;
    frame.src = target;
    document.body.append(frame);
    for (const method of ['get', 'post']) {
      const form = document.createElement('form');
      form.method = method;
      form.enctype = 'text/plain';
      form.action = target;
      form.target = frame.name;
      document.body.append(form);
      form.submit();
    }
    work.push(
      new Promise((resolve) => setTimeout(resolve, 3_000)).then(() => {
        try {
          if ((frame.contentDocument?.body.textContent ?? '') !== '') read.push(`frame ${target}`);
        } catch {
          // Another origin: nothing can be read.
        }
      }),
    );
    work.push(
      navigator.serviceWorker
        ?.register(target)
        .then(() => read.push(`service worker ${target}`))
        .catch(() => {}),
    );
  }
  for (const base of [events, ui]) {
    for (const protocols of [[], ['tagwright.rpc', 'x'.repeat(43)]]) {
      const socket = new WebSocket(`${base.replace('http', 'ws')}/rpc`, protocols);
      work.push(
        new Promise<void>((resolve) => {
          socket.addEventListener('open', () => {
            read.push(`WebSocket ${base}`);
            resolve();
          });
          socket.addEventListener('error', () => resolve());
        }),
      );
    }
    const source = new EventSource(`${base}/api/events`, { withCredentials: true });
    source.addEventListener('message', () => read.push(`EventSource ${base}`));
    work.push(
      new Promise<void>((resolve) => {
        source.addEventListener('error', () => {
          source.close();
          resolve();
        });
      }),
    );
  }
  await Promise.all(work);
  return read;
}
