import { z } from 'zod';
import type { Settings } from '#domain/workspace/settings';
import { messageOf } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';

const feed = z.object({
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  url: z
    .string()
    .max(2_000)
    .regex(/^https?:\/\//)
    .exactOptional(),
});
export type Release = z.infer<typeof feed>;

interface UpdateSettings {
  get(): Settings;
  onChange(listener: (settings: Settings) => void): () => void;
}

export interface UpdateCheckParts {
  settings: UpdateSettings;
  /** The version of the running product, such as `1.2.3`. */
  version: string;
  log: Log;
  /** Called with a newer version, once for each. */
  onNewer: (release: Release) => void;
  /** Interval between checks, ms. */
  everyMs?: number;
}

const DAY_MS = 86_400_000;
const WITHIN_MS = 10_000;
const LARGEST = 64 * 1024;

/**
 * Checks `updates.feed` once a day for a newer version, while `updates.check` is on; otherwise nothing leaves this
 * machine. It only notifies: nothing is downloaded or installed. An address that does not respond is logged, and
 * retried the next day. Returns a function that ends it.
 */
export function followUpdates({ settings, version, log, onNewer, everyMs = DAY_MS }: UpdateCheckParts): () => void {
  let timer: NodeJS.Timeout | undefined;
  let checkedAddress = '';
  let notified = '';
  const ending = new AbortController();

  const check = async (address: string) => {
    try {
      const release = await newestRelease(address, ending.signal);
      if (ending.signal.aborted || release.version === notified || !isNewer(release.version, version)) return;
      notified = release.version;
      onNewer(release);
    } catch (thrown) {
      if (!ending.signal.aborted) log.warn('the check for updates failed', { address, why: messageOf(thrown) });
    }
  };
  const follow = (now: { 'updates.check': boolean; 'updates.feed': string }) => {
    const address = now['updates.check'] ? now['updates.feed'] : '';
    if (address === checkedAddress) return;
    checkedAddress = address;
    clearInterval(timer);
    if (address === '') return;
    void check(address);
    timer = setInterval(() => void check(address), everyMs).unref();
  };
  follow(settings.get());
  const forget = settings.onChange(follow);
  return () => {
    ending.abort();
    clearInterval(timer);
    forget();
  };
}

/** Whether a version `1.2.3` comes after another. */
export function isNewer(version: string, than: string): boolean {
  return version.localeCompare(than, 'en', { numeric: true }) > 0;
}

async function newestRelease(address: string, signal: AbortSignal): Promise<Release> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(WITHIN_MS)]);
  const response = await fetch(address, { signal: within, headers: { accept: 'application/json' } });
  if (!response.ok) throw new Error(`it responded with ${response.status}`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > LARGEST) throw new Error(`it responded with more than ${LARGEST} bytes`);
    chunks.push(chunk);
  }
  return feed.parse(JSON.parse(Buffer.concat(chunks).toString('utf8')));
}
