import { expect, test } from 'vitest';
import { inflated } from '../../../../src-main/platform/http/gzip-parts.ts';
import { EVENT_BLOCK } from '../../../../src-main/storage/events/event-blocks.ts';
import type { EventListChunk } from '../../../../src-main/storage/events/event-list.ts';
import { JOINED_BLOCKS, KeptBlocks } from '../../../../src-main/storage/events/kept-blocks.ts';

const chunk = (block: number, version: number): EventListChunk => ({
  text: Buffer.from(`{"block":${block},"version":${version}}`),
  lastId: (block + 1) * EVENT_BLOCK - 1,
  count: EVENT_BLOCK,
});

const textOf = (found: EventListChunk | null) => Buffer.from(found?.text ?? []).toString();

/** The version of each of the joined blocks. */
function versions(found: EventListChunk | null): number[] | null {
  if (!found?.deflated) return null;
  const blocks: { block: number; version: number }[] = JSON.parse(`[${textOf(found)}]`);
  expect(Buffer.from(inflated([found.deflated])).toString()).toBe(textOf(found));
  const { lastId } = chunk(blocks.at(-1)?.block ?? 0, 0);
  expect(found).toMatchObject({ count: blocks.length * EVENT_BLOCK, lastId });
  return blocks.map(({ version }) => version);
}

const all = (version: number) => Array.from({ length: JOINED_BLOCKS }, () => version);

function keepAll(kept: KeptBlocks, from: number): void {
  const reader = kept.reader();
  for (let block = from; block < from + JOINED_BLOCKS; block += 1) reader.keep(block, chunk(block, 1), true);
  reader.close();
}

test('blocks in a row are joined when all of them are kept', () => {
  const kept = new KeptBlocks();
  keepAll(kept, JOINED_BLOCKS);
  const reader = kept.reader();
  const joined = reader.joined(JOINED_BLOCKS);
  expect(versions(joined)).toEqual(all(1));
  expect(reader.joined(JOINED_BLOCKS)).toBe(joined);
  expect(reader.joined(0)).toBeNull();
  expect(reader.joined(JOINED_BLOCKS + 1)).toBeNull();
});

test('a change separates joined blocks until its block is kept again', () => {
  const kept = new KeptBlocks();
  keepAll(kept, 0);
  const earlier = kept.reader();
  expect(versions(earlier.joined(0))).toEqual(all(1));

  kept.changed(3 * EVENT_BLOCK);
  const later = kept.reader();
  expect([later.joined(0), later.get(3)]).toEqual([null, null]);
  expect(textOf(later.get(4))).toBe(textOf(chunk(4, 1)));

  later.keep(3, chunk(3, 2), true);
  expect(versions(later.joined(0))).toEqual(all(1).with(3, 2));
  // Newer than its snapshot.
  expect(earlier.joined(0)).toBeNull();
  expect(textOf(earlier.get(4))).toBe(textOf(chunk(4, 1)));
});
