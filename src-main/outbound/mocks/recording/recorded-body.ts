import type { HeaderPair } from '#domain/mock/api-call';
import type { MockBody } from '#domain/mock/mock';
import { grouped } from '#domain/text/grouped';
import type { ErrorCode } from '#contract/errors';
import { TagwrightError } from '../../../platform/errors.ts';
import { programFile } from '../../../platform/files/programs.ts';
import { InTurn } from '../../../platform/in-turn.ts';
import { copiedInSteps } from '../../../platform/long-texts/copied.ts';
import { inThread } from '../../../platform/threads/in-thread.ts';
import { inTurns } from '../../../platform/turns.ts';
import { textOf } from '../../api-response.ts';
import { headerOf } from '../../http/header-sets.ts';
import { maskBody } from '../../secrets/masking.ts';
import type { SecretMask } from '../../secrets/secret-mask.ts';
import type { MockFiles } from '../mock-files.ts';

interface ReceivedBody {
  headers: readonly HeaderPair[];
  body: Buffer;
}

/** What the thread gets. */
export interface BodyTask {
  headers: readonly HeaderPair[];
  body: Uint8Array<ArrayBuffer>;
  /** The forms of the secrets to mask. */
  forms: readonly string[];
  folder: string;
}

/** What it returns. `code` is null for a fault of Tagwright. */
export type BodyAnswer = { body: MockBody } | { code: ErrorCode | null; message: string };

/** Bytes of a body that is masked and written in a thread, which starts in 40 ms: otherwise a few ms of main. */
export const LONG_BODY = 262_144;
/** Larger bodies become files of the folder `mock-files`. */
const INLINE_BYTES = 65_536;
const MOST_MS = 60_000;
const MOST_MB = 1_536;

/** One thread at a time: each may need more than 1 GB. */
const turn = new InTurn();

/** The body of a recorded mock, with secrets masked. Throws STORAGE_FULL and similar errors. */
export function bodyOf({ body, headers }: ReceivedBody, mask: SecretMask, files: Pick<MockFiles, 'keep'>): MockBody {
  if (body.length === 0) return { kind: 'none' };
  const type = headerOf(headers, 'content-type') ?? '';
  if (!isText(type, body)) {
    const bytes = mask.bytes(body);
    if (bytes.length <= INLINE_BYTES) return { kind: 'base64', base64: bytes.toString('base64') };
    return { kind: 'file', file: files.keep(bytes, extensionOf(type)) };
  }
  const text = maskBody(textOf(body, headers), mask);
  if (text.length > INLINE_BYTES) return { kind: 'file', file: files.keep(Buffer.from(text), extensionOf(type)) };
  // The original text: a script may depend on more than its value.
  return { kind: 'text', text };
}

/** Like `bodyOf`, in a thread: to parse, mask, hash and write 30 MB would block main for a second. */
export function bodyInThread(
  { body, headers }: ReceivedBody,
  mask: SecretMask,
  { folder }: Pick<MockFiles, 'folder'>,
): Promise<MockBody> {
  return turn.run(async () => {
    const task: BodyTask = { headers, body: await inTurns(copiedInSteps(body)), forms: mask.forms, folder };
    const given = { data: task, moved: [task.body.buffer], mostMb: MOST_MB, mostMs: MOST_MS };
    const answer = await inThread<BodyAnswer>(programFile('mock-body-thread'), given).catch((thrown: unknown) => {
      const message = `A response of ${grouped(body.length)} bytes takes too much time or memory to record.`;
      throw new Error(message, { cause: thrown });
    });
    if ('body' in answer) return answer.body;
    const { code, message } = answer;
    throw code === null ? new Error(message) : new TagwrightError(code, message);
  });
}

/** By its type, or, if that is inconclusive, by its bytes. */
export function isText(type: string, body: Buffer): boolean {
  if (/^text\/|[/+](?:json|xml|javascript|x-www-form-urlencoded|yaml)\b/i.test(type)) return true;
  if (/^(?:image|audio|video|font)\/|\/(?:pdf|zip|gzip)\b/i.test(type)) return false;
  const start = body.subarray(0, 4_096);
  return !start.includes(0) && !new TextDecoder().decode(start, { stream: true }).includes('\ufffd');
}

function extensionOf(type: string): string {
  const name = /^[\w-]+\/(?:[\w.-]+\+)?([\w-]{1,12})/.exec(type)?.[1] ?? 'bin';
  return name === 'octet-stream' ? 'bin' : name.toLowerCase();
}
