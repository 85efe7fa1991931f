import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inThread, ThreadFailure } from '../../../../src-main/platform/threads/in-thread.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';

/** A program of a thread, which has `data` and `send`. */
function program(text: string): string {
  const file = join(temporaryFolder(), 'thread.mjs');
  writeFileSync(
    file,
    `import { parentPort, workerData as data } from 'node:worker_threads';
    const send = (result) => parentPort.postMessage(result);
    ${text}`,
  );
  return file;
}

const failureOf = (running: Promise<unknown>): Promise<ThreadFailure> =>
  running.then(
    (result) => Promise.reject(new Error(`it returned ${JSON.stringify(result)}`)),
    (thrown: unknown) => {
      expect(thrown).toBeInstanceOf(ThreadFailure);
      return thrown as ThreadFailure;
    },
  );

test('the first message of a thread is its result, also if the program never ends', async () => {
  const file = program('send({ sum: data.a + data.b }); send(1); setInterval(() => undefined, 1_000);');
  expect(await inThread(file, { data: { a: 1, b: 2 }, mostMs: 60_000 })).toEqual({ sum: 3 });
});

test('moved parts are not copied', async () => {
  const bytes = new Uint8Array([1, 2, 3]);
  const file = program('send([...data.bytes]);');
  expect(await inThread(file, { data: { bytes }, moved: [bytes.buffer] })).toEqual([1, 2, 3]);
  expect(bytes).toHaveLength(0);
});

test.each<[string, string, ThreadFailure['reason'], string]>([
  ['throws', `throw new TypeError('a fault of the program');`, 'fault', 'a fault of the program'],
  ['ends without a result', 'process.exit(0);', 'fault', 'its thread ended without a result'],
  ['takes too long', 'for (;;);', 'time', 'it takes more than 0.2 s'],
  ['needs too much memory', 'const kept = []; for (;;) kept.push({ kept });', 'memory', 'it takes too much memory'],
])('a thread that %s is a failure', async (_what, text, reason, message) => {
  const limits = reason === 'time' ? { mostMs: 200 } : { mostMb: 16 };
  const failure = await failureOf(inThread(program(text), { data: null, ...limits }));
  expect([failure.reason, failure.message]).toEqual([reason, message]);
});

test('a thread whose program is missing is a failure', async () => {
  const failure = await failureOf(inThread(join(temporaryFolder(), 'missing.mjs'), { data: null }));
  expect(failure.reason).toBe('fault');
});
