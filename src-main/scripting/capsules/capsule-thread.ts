/**
 * A thread that reads or writes one large capsule, or masks and writes one long run: to check, mask, hash and compress it would
 * block main for seconds.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { gunzipSync, gzipSync, inflateRawSync } from 'node:zlib';
import { TagwrightError } from '../../platform/errors.ts';
import { packedNow } from '../journal/packed-texts.ts';
import type { CapsuleAnswer, CapsuleTask } from './large-capsules.ts';
import { type CapsuleContent, maskedContent } from './masked-capsule.ts';
import { TOO_MUCH } from './run-recorder.ts';

/** A run that only goes into the journal does not need its schemas, which take longer to load than most runs. */
const capsuleFile = () => import('./capsule-file.ts');

async function done(task: CapsuleTask): Promise<CapsuleAnswer> {
  switch (task.do) {
    case 'write': {
      const text = inflateRawSync(task.content, { maxOutputLength: task.most });
      return await fileOf(JSON.parse(text.toString()), task.gzip);
    }
    case 'record':
      return await recorded(task);
    default: {
      const { readCapsule } = await capsuleFile();
      const text = task.gzip ? gunzipSync(task.bytes, { maxOutputLength: task.most }) : Buffer.from(task.bytes);
      const { capsule, intact } = readCapsule(text);
      return { bytes: ownBytes(Buffer.from(JSON.stringify(capsule))), size: text.length, intact };
    }
  }
}

async function fileOf(content: CapsuleContent, gzip: boolean) {
  const { capsuleText } = await capsuleFile();
  const file = Buffer.from(capsuleText(content));
  return { bytes: ownBytes(gzip ? gzipSync(file, { level: 1 }) : file), size: file.length };
}

type RecordTask = Extract<CapsuleTask, { do: 'record' }>;

async function recorded({ content: parts, wanted, most, ...run }: RecordTask): Promise<CapsuleAnswer> {
  const content = maskedContent({ ...run, content: JSON.parse(Buffer.concat(parts).toString()) });
  if (!content) return { problem: TOO_MUCH };
  const json = Buffer.from(JSON.stringify(content));
  const output = packedNow(json);
  const packed = output.length <= most ? ownBytes(output) : null;
  if (wanted === null) return { packed, bytes: null };
  if (wanted === 'content') return { packed, bytes: ownBytes(json), size: json.length };
  return { packed, ...(await fileOf(content, wanted === 'gzip')) };
}

/** In memory of their own, which moves to main without a copy there. */
const ownBytes = (bytes: Buffer): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);

async function answerTo(task: CapsuleTask): Promise<CapsuleAnswer> {
  try {
    return await done(task);
  } catch (thrown) {
    if (thrown instanceof TagwrightError) return { problem: thrown.message };
    const code = thrown instanceof Error && 'code' in thrown ? thrown.code : '';
    return { problem: null, tooLarge: code === 'ERR_BUFFER_TOO_LARGE' };
  }
}

const task: CapsuleTask = workerData;
const answer = await answerTo(task);
const moved = 'bytes' in answer ? [answer.bytes, answer.packed].flatMap((bytes) => (bytes ? [bytes.buffer] : [])) : [];
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of a thread has no origin
parentPort?.postMessage(answer, moved);
