import type { ConformanceReport } from '#domain/event/conformance';
import { checkConsumer } from '../../../src-main/events/api/conformance/check-consumer.ts';
import { SITUATIONS } from '../../../src-main/events/api/conformance/situations.ts';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { createLog } from '../../../src-main/platform/log.ts';

export interface ConsumerAddress {
  url: string;
  apiKey: string;
  /** Aborts when the run is over. */
  signal: AbortSignal;
}

export interface ConsumerCheckOptions {
  only?: readonly string[];
  client?: string | null;
  seconds?: number;
  waitSeconds?: number;
  ruleId?: number;
  signal?: AbortSignal;
  onReport?: (name: string) => void;
}

/** Takes a consumer that runs in this process through situations, all of them by default. */
export async function checkedConsumer(
  consume: (address: ConsumerAddress) => Promise<unknown>,
  { only, client = null, seconds = 3, waitSeconds = 20, ruleId = 1, signal, onReport }: ConsumerCheckOptions = {},
): Promise<ConformanceReport> {
  const [end, never] = [new AbortController(), new AbortController()];
  let consuming: Promise<unknown> = Promise.resolve();
  const checking = checkConsumer({
    client,
    situations: SITUATIONS.filter(({ name }) => only?.includes(name) ?? true),
    seed: 1,
    seconds,
    waitSeconds,
    ruleId,
    port: 0,
    isOpen: false,
    version: '9.8.7',
    clock: systemClock,
    log: createLog({ write: () => undefined }),
    onReady: (address) => {
      consuming = consume({ ...address, signal: end.signal });
      // It is awaited below.
      consuming.catch(() => undefined);
    },
    onReport: ({ name }) => onReport?.(name),
    signal: signal ?? never.signal,
    programEnded: never.signal,
  });
  const report = await checking.finally(() => end.abort());
  await consuming;
  return report;
}

interface CarelessOptions {
  /** After a failure of any kind, ms. */
  pauseMs: number;
  /** Between two polls, ms. */
  pollMs: number;
  /** Uses the events that it can read in a list that was cut off, and never reads earlier ones again. */
  trustsCutLists?: boolean;
  /** Acknowledges each entry of a list, also one that comes again. */
  acknowledgesAgain?: boolean;
  /** Repeats a failed PUT until it succeeds. */
  repeatsPuts?: boolean;
}

/** A consumer that is written by hand, with mistakes that such programs have. */
export async function carelessConsumer(
  { url, apiKey, signal }: ConsumerAddress,
  options: CarelessOptions,
): Promise<void> {
  const headers = { 'X-API-Key': apiKey, 'User-Agent': 'careless/1.0' };
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  let last = 0;
  const acknowledge = async (id: number): Promise<void> => {
    for (;;) {
      const ok = await fetch(`${url}/api/events/${id}`, {
        method: 'PUT',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: '{"Active":false}',
        signal,
      }).then(
        async (response) => (await response.arrayBuffer(), response.ok || response.status === 404),
        () => false,
      );
      if (ok || signal.aborted || !options.repeatsPuts) return;
      await pause(options.pauseMs);
    }
  };
  while (!signal.aborted) {
    let text = '';
    let isWhole = false;
    try {
      const query = options.trustsCutLists ? `?after=${last}` : '';
      const response = await fetch(`${url}/api/events${query}`, { headers, signal });
      const decoder = new TextDecoder();
      for await (const bytes of response.body ?? []) text += decoder.decode(bytes, { stream: true });
      isWhole = response.ok;
    } catch {
      // A list that was cut off, or no response.
    }
    const ids = [...text.matchAll(/"AggregationEventId":(\d+)/g)].map(([, id]) => Number(id));
    if (isWhole || options.trustsCutLists) {
      for (const id of options.acknowledgesAgain ? ids : new Set(ids)) await acknowledge(id);
      // Takes the cut list as everything up to the newest event that it knows of.
      last = Math.max(last, ...ids) + (isWhole || ids.length === 0 ? 0 : 5);
    }
    await pause(isWhole ? options.pollMs : options.pauseMs);
  }
}
