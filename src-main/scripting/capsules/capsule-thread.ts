/**
 * A thread that reads or writes one large capsule, or masks and writes one long run: to check, mask, hash and compress it would
 * block main for seconds.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { gunzipSync, gzipSync, inflateRawSync } from 'node:zlib';
import { TagwrightError } from '../../platform/errors.ts';
import { packedNow } from '../journal/packed-texts.ts';
import { capsuleText, readCapsule } from './capsule-file.ts';
import type { CapsuleAnswer, CapsuleTask } from './large-capsules.ts';
import { type CapsuleContent, maskedContent } from './masked-capsule.ts';
import { TOO_MUCH } from './run-recorder.ts';

function done(task: CapsuleTask): CapsuleAnswer {
  switch (task.do) {
    case 'write': {
      const text = inflateRawSync(task.content, { maxOutputLength: task.most });
      return fileOf(JSON.parse(text.toString()), task.gzip);
    }
    case 'record':
      return recorded(task);
    default: {
      const text = task.gzip ? gunzipSync(task.bytes, { maxOutputLength: task.most }) : Buffer.from(task.bytes);
      const { capsule, intact } = readCapsule(text);
      return { bytes: ownBytes(Buffer.from(JSON.stringify(capsule))), size: text.length, intact };
    }
  }
}

function fileOf(content: CapsuleContent, gzip: boolean): { bytes: Uint8Array<ArrayBuffer>; size: number } {
  const file = Buffer.from(capsuleText(content));
  return { bytes: ownBytes(gzip ? gzipSync(file, { level: 1 }) : file), size: file.length };
}

function recorded({ content: parts, wanted, most, ...run }: Extract<CapsuleTask, { do: 'record' }>): CapsuleAnswer {
  const content = maskedContent({ ...run, content: JSON.parse(Buffer.concat(parts).toString()) });
  if (!content) return { problem: TOO_MUCH };
  const json = Buffer.from(JSON.stringify(content));
  const output = packedNow(json);
  const packed = output.length <= most ? ownBytes(output) : null;
  if (wanted === null) return { packed, bytes: null };
  if (wanted === 'content') return { packed, bytes: ownBytes(json), size: json.length };
  return { packed, ...fileOf(content, wanted === 'gzip') };
}

/** In memory of their own, which moves to main without a copy there. */
const ownBytes = (bytes: Buffer): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);

function answerTo(task: CapsuleTask): CapsuleAnswer {
  try {
    return done(task);
  } catch (thrown) {
    if (thrown instanceof TagwrightError) return { problem: thrown.message };
    const code = thrown instanceof Error && 'code' in thrown ? thrown.code : '';
    return { problem: null, tooLarge: code === 'ERR_BUFFER_TOO_LARGE' };
  }
}

const task: CapsuleTask = workerData;
const answer = answerTo(task);
const moved = 'bytes' in answer ? [answer.bytes, answer.packed].flatMap((bytes) => (bytes ? [bytes.buffer] : [])) : [];
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of a thread has no origin
parentPort?.postMessage(answer, moved);
