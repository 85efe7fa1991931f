import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { instrumentThreadFile, productRoot } from '../../platform/files/paths.ts';
import type { Instrumented } from './coverage.ts';
import { instrumented } from './coverage.ts';
import type { DebugBody } from './debug-body.ts';
import { instrumentForDebug } from './debug.ts';
import type { NotingBody } from './values.ts';
import { instrumentForValues } from './values.ts';

/** What a body can be prepared for. */
export interface PreparedForms {
  debug: DebugBody;
  values: NotingBody;
  coverage: Instrumented;
}

export type InstrumentRequest = { form: keyof PreparedForms; body: string };

/** Longer bodies are prepared in a thread: 100,000 characters take 90 ms, and a thread starts in 40 ms. */
const SHORT = 10_000;
/** The parser needs a time that grows with the square of the number of declarations. */
const MOST_MS = 5_000;
const MOST_MB = 512;

const PREPARE: { [Form in keyof PreparedForms]: (body: string) => PreparedForms[Form] | null } = {
  debug: (body) => instrumentForDebug(body, randomToken()),
  values: (body) => instrumentForValues(body, randomToken()),
  coverage: instrumented,
};

const randomToken = (): string => `$${randomBytes(12).toString('hex')}`;

/** The instrumented form of a body, made here and now; null as `prepared`. */
export function preparedNow<Form extends keyof PreparedForms>(form: Form, body: string): PreparedForms[Form] | null {
  return PREPARE[form](body);
}

/**
 * The instrumented form of a body. A long body is instrumented in a thread, so that nothing else in main waits for it.
 * Null for a body that does not parse, or that takes more than 5 s or 512 MB.
 */
export async function prepared<Form extends keyof PreparedForms>(
  form: Form,
  body: string,
): Promise<PreparedForms[Form] | null> {
  if (body.length <= SHORT) return preparedNow(form, body);
  const workerData: InstrumentRequest = { form, body };
  const thread = new Worker(instrumentThreadFile(productRoot()), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: MOST_MB },
  });
  try {
    const [made] = await once(thread, 'message', { signal: AbortSignal.timeout(MOST_MS) });
    return made;
  } catch {
    return null;
  } finally {
    await thread.terminate();
  }
}
