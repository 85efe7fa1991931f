import { z } from 'zod';
import type { HeaderPair } from '#domain/mock/api-call';
import type { MockRoute } from '#domain/mock/mock';
import { PLAIN } from '../../platform/plain-words.ts';
import { credentialsIn } from '../secrets/masking.ts';
import { SecretMask } from '../secrets/secret-mask.ts';
import type { MockFiles } from './mock-files.ts';
import { recorded } from './recording/recorder.ts';

const headerList = z.array(z.object({ name: z.string(), value: z.string() })).optional();
const har = z.object({
  log: z.object({
    entries: z.array(
      z.object({
        request: z.object({
          method: z.string(),
          url: z.string(),
          headers: headerList,
          postData: z.object({ text: z.string().optional() }).nullish(),
        }),
        response: z.object({
          status: z.number(),
          headers: headerList,
          content: z
            .object({ text: z.string().optional(), encoding: z.string().optional(), mimeType: z.string().optional() })
            .nullish(),
        }),
      }),
    ),
  }),
});

export interface Imported {
  routes: MockRoute[];
  /** What was skipped, and why. */
  skipped: string[];
}

/**
 * The mocks of a HAR file, masking members that are named like secrets, credentials of requests, and secrets of the
 * mask; duplicate calls are imported once.
 */
export function importHar(document: unknown, files: Pick<MockFiles, 'keep'>, mask: SecretMask): Imported {
  const routes = new Map<string, MockRoute>();
  const skipped: string[] = [];
  for (const { request, response } of har.parse(document, PLAIN).log.entries) {
    const method = request.method.toUpperCase();
    const url = URL.parse(request.url);
    const what = mask.text(`${method.slice(0, 10)} ${url === null ? 'an invalid URL' : url.origin + url.pathname}`);
    if (method !== 'GET' && method !== 'POST' && method !== 'PUT' && method !== 'DELETE') {
      skipped.push(`${what}: scripts use only GET, POST, PUT and DELETE`);
    } else if (url === null || !/^https?:$/.test(url.protocol)) {
      skipped.push(`${what}: it is not http or https`);
    } else if (!Number.isInteger(response.status) || response.status < 200 || response.status > 599) {
      skipped.push(`${what}: it has no response`);
    } else {
      url.username = '';
      url.password = '';
      const { content } = response;
      const pairs = pairsOf(response.headers).filter(([name]) => /^[\w-]+$/.test(name));
      if (content?.mimeType && !pairs.some(([name]) => /^content-type$/i.test(name))) {
        pairs.push(['content-type', content.mimeType]);
      }
      const encoding = content?.encoding === 'base64' ? 'base64' : 'utf8';
      const body = Buffer.from(content?.text ?? '', encoding);
      // The text in a HAR file no longer has the charset of its header.
      const asUtf8 = pairs.map(([name, value]): HeaderPair => [
        name,
        encoding === 'utf8' ? value.replace(/;\s*charset=[^;]*/i, '; charset=utf-8') : value,
      ]);
      const asked = request.postData?.text ?? null;
      const secrets = credentialsIn(pairsOf(request.headers), url.href, asked);
      const route = recorded(
        { method, url, headers: [], body: asked, bodyIsSecret: true, secrets, named: [] },
        { status: response.status, headers: asUtf8, body },
        new SecretMask(secrets, mask),
        files,
      );
      const key = JSON.stringify(route.request);
      if (!routes.has(key)) routes.set(key, route);
    }
  }
  return { routes: [...routes.values()], skipped };
}

function pairsOf(headers: z.infer<typeof headerList> = []): HeaderPair[] {
  return headers.map(({ name, value }) => [name, value]);
}
