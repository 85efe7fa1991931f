import { createConnection } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Settings } from '#domain/workspace/settings';
import { DEFAULT_SETTINGS } from '#domain/workspace/settings';
import { EventsApiService } from '../../../../src-main/events/api/events-api-service.ts';
import type { ApiLimits } from '../../../../src-main/events/api/limits.ts';
import { LIMITS } from '../../../../src-main/events/api/limits.ts';
import { systemClock } from '../../../../src-main/platform/clock.ts';
import { Listeners } from '../../../../src-main/platform/events.ts';
import type { OnRefused } from '../../../../src-main/platform/http/request-guard.ts';
import { hashKey, KeyCheck, quickHash } from '../../../../src-main/platform/key-check.ts';
import { createLog } from '../../../../src-main/platform/log.ts';
import { FakeEventSource } from './fake-event-source.ts';

export const VERSION = '9.8.7';

/** Counts the listeners of a key. */
class CountedKey extends KeyCheck {
  listeners = 0;

  override onChange(listener: () => void): () => void {
    const stop = super.onChange(listener);
    this.listeners += 1;
    return () => {
      stop();
      this.listeners -= 1;
    };
  }
}

/** Settings in memory. */
export class FakeSettings {
  readonly apiKey = new CountedKey();
  readonly #changes = new Listeners<Settings>();
  #now: Settings;

  constructor(patch: Partial<Settings> = {}) {
    this.#now = { ...DEFAULT_SETTINGS, ...patch };
    this.#useKey();
  }

  get = (): Settings => this.#now;
  onChange = (listener: (settings: Settings) => void) => this.#changes.add(listener);
  update(patch: Partial<Settings>): void {
    this.#now = { ...this.#now, ...patch };
    this.#useKey();
    this.#changes.emit(this.#now);
  }
  #useKey(): void {
    const key = this.#now['events.apiKey'];
    this.apiKey.use(key === '' ? null : { hash: hashKey(key), quick: quickHash(key) });
  }
}

/** The API on a free port, over events in memory. It ends with the test. */
export async function startApi(
  options: {
    events?: number;
    settings?: Partial<Settings>;
    limits?: Partial<ApiLimits>;
    port?: number | null;
    onRefused?: OnRefused;
    requestsFile?: string;
    problems?: () => { code: string; message: string }[];
  } = {},
) {
  const source = new FakeEventSource(options.events ?? 3);
  const settings = new FakeSettings(options.settings);
  const logged: string[] = [];
  const service = new EventsApiService({
    source,
    settings,
    apiKey: settings.apiKey,
    version: VERSION,
    clock: systemClock,
    log: createLog({ write: (line) => logged.push(line) }),
    limits: { ...LIMITS, ...options.limits },
    onRefused: options.onRefused,
    requestsFile: options.requestsFile,
    problems: options.problems,
    ...(options.port === null ? {} : { port: options.port ?? 0 }),
  });
  onTestFinished(() => service.close());
  await service.start();
  const url = () => service.status().url ?? '';
  const call = (path: string, init: RequestInit = {}) => fetch(`${url()}${path}`, init);
  const put = (id: number | string, body: unknown, headers: Record<string, string> = {}) =>
    call(`/api/events/${id}`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  return { source, settings, service, logged, url, call, put };
}

/** Sends raw bytes. Resolves to the response when the server ends the connection, when `until` holds, or after `ms`. */
export function raw(
  url: string,
  text: string,
  { ms = 3_000, until = () => false }: { ms?: number; until?: (response: string) => boolean } = {},
): Promise<string> {
  return new Promise((resolve) => {
    const socket = createConnection(Number(new URL(url).port), '127.0.0.1');
    let response = '';
    const timer = setTimeout(() => socket.destroy(), ms);
    socket.on('data', (chunk: Buffer) => {
      response += chunk.toString();
      if (until(response)) socket.destroy();
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(response);
    });
    socket.write(text);
  });
}
