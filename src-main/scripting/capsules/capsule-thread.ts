/** A thread that reads or writes one large capsule: to check, parse, hash and compress it would block main for seconds. */
import { parentPort, workerData } from 'node:worker_threads';
import { gunzipSync, gzipSync, inflateRawSync } from 'node:zlib';
import type { Capsule } from '#domain/run/capsule';
import { TagwrightError } from '../../platform/errors.ts';
import { capsuleText, readCapsule } from './capsule-file.ts';
import type { CapsuleAnswer, CapsuleTask } from './large-capsules.ts';

function done(task: CapsuleTask): CapsuleAnswer {
  if (task.do === 'write') {
    const given = Buffer.concat(task.content);
    const text = task.isPacked ? inflateRawSync(given, { maxOutputLength: task.most }) : given;
    const content: Omit<Capsule, 'hash'> = JSON.parse(text.toString());
    const file = Buffer.from(capsuleText(content));
    return { bytes: task.gzip ? gzipSync(file, { level: 1 }) : file, size: file.length };
  }
  const text = task.gzip ? gunzipSync(task.bytes, { maxOutputLength: task.most }) : Buffer.from(task.bytes);
  const { capsule, intact } = readCapsule(text);
  return { bytes: Buffer.from(JSON.stringify(capsule)), size: text.length, intact };
}

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
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of a thread has no origin
parentPort?.postMessage(answerTo(task));
