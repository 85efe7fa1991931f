import { z } from 'zod';
import { messageOf, TagwrightError } from '../platform/errors.ts';
import type { InstanceAddress } from './instance-client.ts';

const linkResponse = z.object({ url: z.string().nullable() });

/**
 * Requests a new one-time address from a running instance; null if it has no user interface for browsers.
 * @throws TagwrightError UNAVAILABLE if it does not respond
 */
export async function requestLink({ url, token }: InstanceAddress): Promise<string | null> {
  try {
    const response = await fetch(`${url}/links`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(5_000),
    });
    if (!response.ok) throw new Error(`it responded with ${response.status}`);
    return linkResponse.parse(await response.json()).url;
  } catch (thrown) {
    throw new TagwrightError('UNAVAILABLE', `The instance at ${url} did not return a link: ${messageOf(thrown)}.`, {
      cause: thrown,
    });
  }
}
