/**
 * Copies a workspace for the instance that holds it, in a separate process, because opening the files elsewhere in the
 * same process would release the locks of the snapshot. Argument: the request as JSON. Writes the result to stdout.
 */
import { z } from 'zod';
import { messageOf, TagwrightError } from '../../../platform/errors.ts';
import type { CopyResponse } from './copy-in-process.ts';
import { copyWorkspace } from './copy-workspace.ts';

const request = z.object({ source: z.string(), target: z.string(), withSecrets: z.boolean() });

async function respond(): Promise<CopyResponse> {
  try {
    return { done: await copyWorkspace(request.parse(JSON.parse(process.argv[2] ?? ''))) };
  } catch (thrown) {
    if (!(thrown instanceof TagwrightError))
      return { failed: { code: 'INTERNAL', message: messageOf(thrown), data: {} } };
    const { code, message, data } = thrown;
    return { failed: { code, message, data } };
  }
}

process.stdout.write(JSON.stringify(await respond()));
