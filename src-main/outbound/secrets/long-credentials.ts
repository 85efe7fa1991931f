import type { ApiResponse } from '#domain/mock/api-call';
import { programFile } from '../../platform/files/programs.ts';
import { InTurn } from '../../platform/in-turn.ts';
import { copiedInSteps } from '../../platform/long-texts/copied.ts';
import { inThread } from '../../platform/threads/in-thread.ts';
import { inTurns, type Steps } from '../../platform/turns.ts';
import { credentialsInBody } from './body-credentials.ts';

/** A text as a call has it: long ones are not decoded. */
export type LongText = string | NonNullable<ApiResponse['text']>;

/** What the thread gets, and returns. */
export interface SearchTask {
  bytes: Uint8Array<ArrayBuffer>;
  charset: string;
}
/** Main reads the values in steps: a list of 100,000 would take it 15 ms at once. */
export interface SearchAnswer {
  /** All values in UTF-8, one after another, and where each of them ends. */
  bytes: Uint8Array<ArrayBuffer>;
  ends: Uint32Array<ArrayBuffer>;
}

/** Bytes that are searched in turns of main. More are searched in a thread, which starts in 40 ms. */
const LONG = 1_048_576;
/** Values that are read at once: about 1 ms. */
const STEP_VALUES = 2_000;
const MOST_MS = 60_000;
const MOST_MB = 1_536;

/** One thread at a time: each may need more than 1 GB. */
const turn = new InTurn();

/** Characters or bytes. */
export const lengthOfLongText = (text: LongText): number =>
  typeof text === 'string' ? text.length : text.bytes.length;

/** The bytes of a text, and how to decode them. */
export const bytesOfLongText = (text: LongText): NonNullable<ApiResponse['text']> =>
  typeof text === 'string' ? { bytes: Buffer.from(text), charset: 'utf-8' } : text;

/** The values of members and fields of a text that are named like secrets. Rejects if that takes too much time or memory. */
export async function credentialsInLongText(text: LongText): Promise<string[]> {
  if (lengthOfLongText(text) > LONG) return turn.run(() => found(text));
  const whole = typeof text === 'string' ? text : new TextDecoder(text.charset).decode(text.bytes);
  return inTurns(credentialsInBody(whole));
}

async function found(text: LongText): Promise<string[]> {
  const { bytes, charset } = bytesOfLongText(text);
  const task: SearchTask = { bytes: await inTurns(copiedInSteps(bytes)), charset };
  const given = { data: task, moved: [task.bytes.buffer], mostMb: MOST_MB, mostMs: MOST_MS };
  return inTurns(valuesIn(await inThread<SearchAnswer>(programFile('long-credentials-thread'), given)));
}

function* valuesIn({ bytes, ends }: SearchAnswer): Steps<string[]> {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const values: string[] = [];
  let from = 0;
  for (const end of ends) {
    values.push(text.toString('utf8', from, end));
    from = end;
    if (values.length % STEP_VALUES === 0) yield;
  }
  return values;
}
