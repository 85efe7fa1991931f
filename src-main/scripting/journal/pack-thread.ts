/** A thread that compresses what runs saw: one message for many runs costs main less than one task for each. */
import { parentPort, workerData } from 'node:worker_threads';
import { type Batch, packedBatch } from './packed-texts.ts';
import type { PackAnswer, PackThreadData } from './text-packer.ts';

const { most }: PackThreadData = workerData;

parentPort?.on('message', (texts: Batch) => {
  const packed = packedBatch(texts, most);
  const { bytes: room } = texts;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of a thread has no origin
  parentPort?.postMessage({ packed, room } satisfies PackAnswer, [packed.bytes.buffer, room.buffer]);
});
