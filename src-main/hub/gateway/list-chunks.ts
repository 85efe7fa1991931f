import type { ListChunk } from '../../events/api/list/event-source.ts';

const LINE_FEED = 10;
const COMMA = 44;
const ID = /^\{"AggregationEventId":(\d+)/;
/** Enough of a row for its id. */
const HEAD_BYTES = 48;

/**
 * The rows of a COPY as chunks of a list. JSON has no line feeds of its own, so they become commas in place. A row that
 * two buffers share is a chunk by itself: the others are not copied.
 */
export async function* chunksOf(buffers: AsyncIterable<Buffer>): AsyncGenerator<ListChunk> {
  let rest: Buffer | null = null;
  for await (const buffer of buffers) {
    let from = 0;
    if (rest) {
      const end = buffer.indexOf(LINE_FEED);
      const row: Buffer = Buffer.concat([rest, end < 0 ? buffer : buffer.subarray(0, end)]);
      if (end < 0) {
        rest = row;
        continue;
      }
      rest = null;
      yield { text: row, count: 1, lastId: idOf(row, 0) };
      from = end + 1;
    }
    const chunk = rowsOf(buffer, from);
    if (chunk) yield chunk;
    const used = from + (chunk ? chunk.text.length + 1 : 0);
    if (used < buffer.length) rest = Buffer.from(buffer.subarray(used));
  }
}

/** The whole rows of a buffer from a place on, without the last line feed; null if there is none. */
function rowsOf(buffer: Buffer, from: number): ListChunk | null {
  let count = 0;
  let [start, end] = [from, buffer.indexOf(LINE_FEED, from)];
  if (end < 0) return null;
  for (;;) {
    count += 1;
    const next = buffer.indexOf(LINE_FEED, end + 1);
    if (next < 0) break;
    buffer[end] = COMMA;
    [start, end] = [end + 1, next];
  }
  return { text: buffer.subarray(from, end), count, lastId: idOf(buffer, start) };
}

function idOf(buffer: Buffer, at: number): number {
  return Number(ID.exec(buffer.toString('latin1', at, at + HEAD_BYTES))?.[1] ?? 0);
}
