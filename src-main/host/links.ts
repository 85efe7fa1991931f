import { z } from 'zod';
import { messageOf, TagwrightError } from '../platform/errors.ts';
import type { InstanceAddress } from './instance-client.ts';

const answer = z.object({ url: z.string().nullable() });

/**
 * Asks a running instance for a fresh one-time address; null when it has no user interface in a browser.
 * @throws TagwrightError UNAVAILABLE when it does not answer
 */
export async function askForLink({ url, token }: InstanceAddress): Promise<string | null> {
  try {
    const response = await fetch(`${url}/links`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(5_000),
    });
    if (!response.ok) throw new Error(`it answered ${response.status}`);
    return answer.parse(await response.json()).url;
  } catch (thrown) {
    throw new TagwrightError('UNAVAILABLE', `The instance at ${url} gives no link: ${messageOf(thrown)}.`, {
      cause: thrown,
    });
  }
}
