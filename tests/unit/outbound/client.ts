import { onTestFinished } from 'vitest';
import type { HeaderPair } from '#domain/mock/api-call';
import type { HttpRequest } from '../../../src-main/outbound/http/build-request.ts';
import type { HttpRules } from '../../../src-main/outbound/http/http-client.ts';
import { HttpClient } from '../../../src-main/outbound/http/http-client.ts';
import { HttpFailure } from '../../../src-main/outbound/http/http-failure.ts';

export const RULES: HttpRules = { timeoutMs: 2_000, maxRedirects: 5, maxBytes: 100_000, allowedHosts: [] };
export const NEVER = new AbortController().signal;

export function client(options: Partial<ConstructorParameters<typeof HttpClient>[0]> = {}): HttpClient {
  const made = new HttpClient({ caFiles: [], proxy: '', noProxy: [], allowOwnPorts: false, ...options });
  onTestFinished(() => made.close());
  return made;
}

export function get(url: string, headers: HeaderPair[] = []): HttpRequest {
  return { method: 'GET', url: new URL(url), headers, body: null, bodyIsSecret: false, secrets: [], named: [] };
}

export function post(url: string, body: string, bodyIsSecret = false): HttpRequest {
  return { ...get(url, [['Content-Type', 'text/plain']]), method: 'POST', body, bodyIsSecret };
}

export async function failure(promise: Promise<unknown>): Promise<HttpFailure> {
  const thrown: unknown = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (thrown instanceof HttpFailure) return thrown;
  throw new Error(`expected an HttpFailure, got ${String(thrown)}`);
}

export const send = (request: HttpRequest, rules: Partial<HttpRules> = {}, signal = NEVER) =>
  client().send(request, { ...RULES, ...rules }, signal);
