import { deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { contentOf, RunJournal } from '../../../../src-main/scripting/journal/run-journal.ts';
import { JournalReader } from '../../../../src-main/storage/journal/journal-reader.ts';
import { openStore } from '../../../support/services/open-store.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';

/** Texts of all lengths, repetitive and not, some of them with letters of several bytes. */
function textOf(n: number): string {
  const length = (n * 7_919) % 90_000;
  if (n % 3 === 0) return 'level '.repeat(length / 6);
  let text = '';
  for (let at = 0; text.length < length; at += 1) text += String.fromCodePoint(33 + ((at * at + n) % 9_000));
  return text;
}

const BEGIN = { script: null, tag: '', diagram: '', location: '', access: 'run', cause: { by: 'person' } } as const;

test('the contents of many runs that end together are stored each by itself', async () => {
  const store = openStore(temporaryFolder());
  const runs = new RunJournal(store.journal);
  const kept = Array.from({ length: 120 }, (_, n) => {
    const run = store.journal.begin(BEGIN);
    const content = { text: textOf(n) };
    runs.keep(run, JSON.stringify(content));
    return { id: run.id, content };
  });
  await runs.close();
  const reader = new JournalReader(store.database);
  for (const { id, content } of kept) {
    const read = await contentOf(reader.content(id) ?? Buffer.alloc(0));
    expect({ id, isSame: JSON.stringify(read?.content) === JSON.stringify(content) }).toEqual({ id, isSame: true });
  }
  store.close();
});

test('a flush waits for long texts; a run without a text has no content', async () => {
  const store = openStore(temporaryFolder());
  const runs = new RunJournal(store.journal);
  const [whole, none, failed] = Array.from({ length: 3 }, () => store.journal.begin(BEGIN));
  const text = JSON.stringify({ text: textOf(11).repeat(40) });
  if (whole) void runs.keepLong(whole, Promise.resolve(deflateRawSync(text)));
  if (none) void runs.keepLong(none, Promise.resolve(null));
  if (failed) void runs.keepLong(failed, Promise.reject(new Error('out of memory')));
  await runs.close();
  const reader = new JournalReader(store.database);
  const bytes = whole && reader.content(whole.id);
  expect(JSON.stringify((await contentOf(bytes ?? Buffer.alloc(0)))?.content) === text).toBe(true);
  for (const run of [none, failed]) {
    expect({ isFull: reader.run(run?.id ?? 0)?.isFull, content: reader.content(run?.id ?? 0) }).toEqual({
      isFull: false,
      content: null,
    });
  }
  store.close();
});

test('more than two long runs wait for each other', async () => {
  const store = openStore(temporaryFolder());
  const runs = new RunJournal(store.journal);
  const packing = Array.from({ length: 4 }, () => Promise.withResolvers<Buffer | null>());
  const goneOn: number[] = [];
  const waiting = packing.map(async ({ promise }, at) => {
    await runs.keepLong(store.journal.begin(BEGIN), promise);
    goneOn.push(at);
  });
  await Promise.all(waiting.slice(0, 2));
  expect(goneOn).toEqual([0, 1]);
  packing[0]?.resolve(null);
  packing[1]?.resolve(null);
  await Promise.all(waiting);
  expect(new Set(goneOn)).toEqual(new Set([0, 1, 2, 3]));
  packing[2]?.resolve(null);
  packing[3]?.resolve(null);
  await runs.close();
  store.close();
});
