import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { ImportStep } from '../../../../src-main/plant/tags/definitions/import-plan.ts';
import { importProgress } from '../../../../src-main/plant/tags/definitions/import-progress.ts';

async function collected<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of stream) all.push(one);
  return all;
}

const outcome = { created: 3, updated: 0, refused: [] };

/** An import of the given number of rows, which take 40 ms each, and the stored rows. */
function slowImport(rows: number) {
  const stored: string[] = [];
  const run = async (step: ImportStep) => {
    for (let row = 0; row < rows; row += 1) {
      await wait(40);
      step(row, rows);
    }
    step(rows, rows);
    stored.push('all');
    return outcome;
  };
  return { stored, run };
}

test('reports its progress, and finally its outcome', async () => {
  const { run, stored } = slowImport(8);
  const progress = await collected(importProgress(run, new AbortController().signal));
  expect(progress.at(-1)).toEqual({ checked: 8, total: 8, done: outcome });
  expect(progress.slice(0, -1).every(({ done, total }) => done === null && total <= 8)).toBe(true);
  expect(progress.length).toBeGreaterThan(1);
  expect(stored).toEqual(['all']);
});

test('imports nothing if its reader stops', async () => {
  const { run, stored } = slowImport(10);
  for await (const { checked } of importProgress(run, new AbortController().signal)) if (checked > 0) break;
  await wait(600);
  expect(stored).toEqual([]);
});

test('ends with the reason of an abort, and imports nothing', async () => {
  const { run, stored } = slowImport(10);
  const end = new AbortController();
  setTimeout(() => end.abort(new Error('enough')), 100);
  await expect(collected(importProgress(run, end.signal))).rejects.toThrow('enough');
  expect(stored).toEqual([]);
});

test('throws its errors to the reader', async () => {
  const run = () => Promise.reject(new Error('not CSV'));
  await expect(collected(importProgress(run, new AbortController().signal))).rejects.toThrow('not CSV');
});
