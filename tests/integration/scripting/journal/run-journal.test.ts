import { expect, test } from 'vitest';
import type { Capsule } from '#domain/run/capsule';
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

test('the contents of many runs that end together are stored each by itself', async () => {
  const store = openStore(temporaryFolder());
  const runs = new RunJournal(store.journal);
  const kept = Array.from({ length: 120 }, (_, n) => {
    const run = store.journal.begin({
      script: null,
      tag: '',
      diagram: '',
      location: '',
      access: 'run',
      cause: { by: 'person' },
    });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is stored as it is
    const content = { text: textOf(n) } as unknown as Omit<Capsule, 'hash'>;
    void runs.keep(run, content);
    return { id: run.id, content };
  });
  await runs.flush();
  const reader = new JournalReader(store.database);
  for (const { id, content } of kept) {
    const read = await contentOf(reader.content(id) ?? Buffer.alloc(0));
    expect({ id, isSame: JSON.stringify(read?.content) === JSON.stringify(content) }).toEqual({ id, isSame: true });
  }
  store.close();
});
