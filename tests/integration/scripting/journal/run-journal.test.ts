import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { contentOf, RunJournal } from '../../../../src-main/scripting/journal/run-journal.ts';
import { JournalReader } from '../../../../src-main/storage/journal/journal-reader.ts';
import { openStore } from '../../../support/open-store.ts';
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
  const [whole, none, failed, tooLarge] = Array.from({ length: 4 }, () => store.journal.begin(BEGIN));
  const text = JSON.stringify({ text: textOf(11).repeat(40) });
  const parts = [text.slice(0, 900_000), text.slice(900_000)].map((part) => new TextEncoder().encode(part));
  if (whole) runs.keepLong(whole, Promise.resolve(parts));
  if (none) runs.keepLong(none, Promise.resolve(null));
  if (failed) runs.keepLong(failed, Promise.reject(new Error('out of memory')));
  if (tooLarge) runs.keepLong(tooLarge, Promise.resolve([randomBytes(8 * 1_048_576 + 1)]));
  await runs.close();
  const reader = new JournalReader(store.database);
  const bytes = whole && reader.content(whole.id);
  expect(JSON.stringify((await contentOf(bytes ?? Buffer.alloc(0)))?.content) === text).toBe(true);
  for (const run of [none, failed, tooLarge]) {
    expect({ isFull: reader.run(run?.id ?? 0)?.isFull, content: reader.content(run?.id ?? 0) }).toEqual({
      isFull: false,
      content: null,
    });
  }
  store.close();
});
