import { randomBytes } from 'node:crypto';
import { programFile } from '../../platform/files/programs.ts';
import { inThread } from '../../platform/threads/in-thread.ts';
import type { Instrumented } from './coverage.ts';
import { instrumented } from './coverage.ts';
import type { DebugBody } from './debug-body.ts';
import { instrumentForDebug } from './debug.ts';
import { MOST_MARKED, TooLong } from './marked-text.ts';
import type { NotingBody } from './noting-body.ts';
import { instrumentForValues } from './values.ts';

/** What a body can be prepared for. */
export interface PreparedForms {
  debug: DebugBody;
  values: NotingBody;
  coverage: Instrumented;
}

export type InstrumentRequest = { form: keyof PreparedForms; body: string };

/** Why a body has no instrumented form: it does not parse, its form is too long, or takes too much time or memory. */
export type NotPrepared = 'syntax' | 'length' | 'effort';

/** Longer bodies are prepared in a thread: 100,000 characters take 90 ms, and a thread starts in 40 ms. */
const SHORT = 10_000;
/** 1 MB of ordinary code takes 0.8 s. The time of the parser grows with the square of the number of declarations. */
const MOST_MS = 20_000;
const MOST_MB = 512;

const PREPARE: { [Form in keyof PreparedForms]: (body: string) => PreparedForms[Form] | null } = {
  debug: (body) => instrumentForDebug(body, randomToken()),
  values: (body) => instrumentForValues(body, randomToken()),
  coverage: instrumented,
};

const randomToken = (): string => `$${randomBytes(12).toString('hex')}`;

/** The instrumented form of a body, made here and now, or why it has none. */
export function preparedNow<Form extends keyof PreparedForms>(
  form: Form,
  body: string,
): PreparedForms[Form] | NotPrepared {
  try {
    return PREPARE[form](body) ?? 'syntax';
  } catch (error) {
    if (error instanceof TooLong) return 'length';
    throw error;
  }
}

/**
 * The instrumented form of a body, or why it has none. A long body is instrumented in a thread, so that nothing else in
 * main waits for it; that may take `mostMs` and 512 MB.
 */
export async function prepared<Form extends keyof PreparedForms>(
  form: Form,
  body: string,
  mostMs = MOST_MS,
): Promise<PreparedForms[Form] | NotPrepared> {
  if (body.length <= SHORT) return preparedNow(form, body);
  const data: InstrumentRequest = { form, body };
  try {
    return await inThread<PreparedForms[Form] | NotPrepared>(programFile('instrument-thread'), {
      data,
      mostMb: MOST_MB,
      mostMs,
    });
  } catch {
    return 'effort';
  }
}

/** Why a body has no instrumented form, for people; what it cannot be is `debugged`, for example. */
export function whyNotPrepared(reason: NotPrepared, debugged: string): string {
  switch (reason) {
    case 'syntax':
      return `The script does not parse, so it cannot be ${debugged}. Run it to see the error.`;
    case 'length':
      return `The script has too many statements to be ${debugged}: with a call for each, its text would have more than ${MOST_MARKED / 1_000_000} MB. Split it.`;
    default:
      return `The script takes more than ${MOST_MS / 1_000} s or ${MOST_MB} MB to prepare, so it cannot be ${debugged}. Split it.`;
  }
}
