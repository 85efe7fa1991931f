import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import {
  drained,
  GzipList,
  JSON_FORM,
  NDJSON_FORM,
  PlainList,
  writeList,
} from '../../../../src-main/events/api/list/list-stream.ts';
import type { ListChunk } from '../../../../src-main/events/api/list/event-source.ts';
import { deflated } from '../../../../src-main/platform/http/gzip-parts.ts';
import { fc } from '../../../support/run/random.ts';

const LIMITS = { stallMs: 5_000, listMs: 30_000 };

/** Takes each write only after a while, and copies it then, as the system does with a socket that is full. */
class SlowSink extends Writable {
  readonly #chunks: Buffer[] = [];

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    setImmediate(() => {
      this.#chunks.push(Buffer.from(chunk));
      done();
    });
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }
}

/** Objects of some size; some of them are kept in compressed form only, as blocks of the store are. */
const chunks = fc.array(
  fc.record({ count: fc.integer({ min: 1, max: 2_000 }), isKept: fc.boolean(), isOwn: fc.boolean() }).map((made) => {
    const { count, isKept, isOwn } = made;
    const objects = Array.from({ length: count }, (_, n) => ({ id: n, name: `result ${n} "ü` }));
    const text = Buffer.from(objects.map((one) => JSON.stringify(one)).join(','));
    const rest = { lastId: count, count };
    const kept = isKept ? { deflated: deflated(text) } : {};
    // Each list gets memory of its own.
    const chunk = (): ListChunk => ({
      ...rest,
      ...kept,
      isOwn,
      text: isOwn ? Buffer.from(new Uint8Array(text).buffer) : text,
    });
    return { objects, chunk };
  }),
  { maxLength: 12 },
);

async function written(list: PlainList | GzipList, all: Chunks) {
  const sink = new SlowSink();
  const finished = new Promise((resolve) => sink.once('finish', resolve));
  await writeList(
    sink,
    all.map(({ chunk }) => chunk()),
    list,
    LIMITS,
  );
  await finished;
  return sink.bytes;
}

type Chunks = typeof chunks extends fc.Arbitrary<infer T> ? T : never;

test('a list is the same from rendered and from kept chunks, also to a slow client', async () => {
  const property = fc.asyncProperty(chunks, async (all) => {
    const expected = JSON.stringify(all.flatMap(({ objects }) => objects));
    const plain = await written(new PlainList(JSON_FORM), all);
    expect(plain.toString()).toBe(expected);
    const gzip = await written(new GzipList(JSON_FORM), all);
    expect(gunzipSync(gzip).toString()).toBe(expected);
    const lines = await written(new PlainList(NDJSON_FORM), all);
    expect(lines.toString()).toBe(
      all.flatMap(({ objects }) => objects.map((one) => `${JSON.stringify(one)}\n`)).join(''),
    );
  });
  await fc.assert(property, { numRuns: 25 });
});

test('a chunk stays as it was after it is sent', async () => {
  const text = Buffer.from(`"${'x'.repeat(200_000)}"`);
  const before = Buffer.from(text);
  const chunk = { text, lastId: 1, count: 1 };
  await written(new PlainList(NDJSON_FORM), [{ objects: [], chunk: () => chunk }]);
  await written(new PlainList(JSON_FORM), [{ objects: [], chunk: () => chunk }]);
  expect(text.equals(before)).toBe(true);
});

test.each([
  ['as text', () => new PlainList(JSON_FORM)],
  ['with gzip', () => new GzipList(JSON_FORM)],
  ['in lines', () => new PlainList(NDJSON_FORM)],
])('memory that only a chunk uses is freed after its list is sent: %s', async (_, list) => {
  const text = Buffer.from(`"${'x'.repeat(200_000)}"`);
  const chunk = { text, isOwn: true, lastId: 1, count: 1 };
  const sent = await written(list(), [{ objects: [], chunk: () => chunk }]);
  expect(sent.length).toBeGreaterThan(200);
  expect(text.length).toBe(0);
});

test('a large part that is kept stays as it was after it is sent', async () => {
  // Large enough after compression to be sent without a copy.
  const hashes = Array.from({ length: 4_000 }, (_, n) => createHash('sha256').update(`${n}`).digest('hex'));
  const text = Buffer.from(`"${hashes.join('')}"`);
  const part = deflated(text);
  const before = Buffer.from(part.bytes);
  expect(part.bytes.length).toBeGreaterThan(65_536);
  const chunk = { text, deflated: part, lastId: 1, count: 1 };
  for (let times = 0; times < 2; times += 1) {
    const sent = await written(new GzipList(JSON_FORM), [{ objects: [], chunk: () => chunk }]);
    expect(gunzipSync(sent).toString()).toBe(`[${text.toString()}]`);
  }
  expect(before.equals(part.bytes)).toBe(true);
});

test('a sink that is closed already is not waited for', async () => {
  const sink = new PassThrough();
  sink.destroy();
  await once(sink, 'close');
  await expect(drained(sink, 600_000)).resolves.toBeUndefined();
});
