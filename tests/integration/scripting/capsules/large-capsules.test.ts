import { deflateRawSync, gunzipSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { MAX_OPENED_BYTES } from '#domain/run/capsule';
import { capsuleText, readCapsule } from '../../../../src-main/scripting/capsules/capsule-file.ts';
import { capsuleFileOf, openCapsuleFile } from '../../../../src-main/scripting/capsules/large-capsules.ts';
import { longestTurn } from '../../../bench/process/longest-turn.ts';
import { builtProduct } from '../../../support/product/product.ts';
import { capsuleOf, getOf, value } from '../../../unit/scripting/capsules/capsule-of.ts';

/** A capsule with so many Gets of 20 tags: each has about 2,600 bytes. */
function contentOf(gets: number) {
  const values = Array.from({ length: 20 }, (_, at) => value(`Plant.Line.Ünit${at}.Value`, at / 3));
  const calls = Array.from({ length: gets }, (_, at) => ({ ...getOf(...values), call: at + 1 }));
  const { hash: _, ...content } = capsuleOf(calls);
  return content;
}

const LARGE = contentOf(2_400);
const TEXT = capsuleText(LARGE);
const packed = (text: string) => ({ gzip: gzipSync(text).toString('base64') });
const stored = (content: object) => deflateRawSync(JSON.stringify(content));

beforeAll(() => builtProduct(), 180_000);

describe('the file of a capsule', () => {
  test('is the same for a small and a large run, as text and compressed', async () => {
    for (const content of [contentOf(2), LARGE]) {
      const text = capsuleText(content);
      expect((await capsuleFileOf(stored(content), false)) === text).toBe(true);
      const asGzip = Buffer.from((await capsuleFileOf(stored(content), true)) ?? '', 'base64');
      expect(gunzipSync(asGzip).toString() === text).toBe(true);
    }
    expect(await capsuleFileOf(stored(LARGE).subarray(0, 20_000), true)).toBeNull();
    expect(await capsuleFileOf(Buffer.from('damaged'), true)).toBeNull();
  });

  test('is read like a small one, as text and compressed', async () => {
    expect(TEXT.length).toBeLessThan(MAX_OPENED_BYTES);
    const expected = readCapsule(Buffer.from(TEXT));
    for (const given of [{ text: TEXT }, packed(TEXT)]) {
      const { read, bytes } = await openCapsuleFile(given);
      expect({ bytes, intact: read.intact }).toEqual({ bytes: Buffer.byteLength(TEXT), intact: true });
      expect(JSON.stringify(read.capsule) === JSON.stringify(expected.capsule)).toBe(true);
    }
    const edited = await openCapsuleFile(packed(TEXT.replace('Ünit3', 'Unit3')));
    expect(edited.read.intact).toBe(false);
  });

  test('that is damaged or hostile is rejected with its position', async () => {
    const reasonOf = async (given: Parameters<typeof openCapsuleFile>[0]) =>
      openCapsuleFile(given).then(
        () => 'read',
        ({ code, message }: { code: string; message: string }) => `${code} ${message}`,
      );
    for (const as of [(text: string) => ({ text }), packed]) {
      expect(await reasonOf(as(TEXT.slice(0, -1_000)))).toMatch(/^BAD_REQUEST .*may be truncated.*at line 2,4\d\d/);
      expect(await reasonOf(as(TEXT.replace('"quality"', '"__proto__"')))).toMatch(/"__proto__", at line \d+, column/);
      expect(await reasonOf(as(TEXT.replace('"version": 1', '"version": 9')))).toMatch(/version 9/);
      expect(await reasonOf(as('['.repeat(200_000)))).toMatch(/nested more than/);
      expect(await reasonOf(as(' '.repeat(MAX_OPENED_BYTES + 1)))).toMatch(/bytes.*Use "tagwright replay"/);
    }
    // 1 GB of zeros are 1 MB.
    const bomb = gzipSync(Buffer.alloc(1 << 28)).toString('base64');
    expect(await reasonOf({ gzip: bomb })).toMatch(/more than 8,388,608 bytes/);
    expect(await reasonOf({ gzip: Buffer.alloc(50_000, 7).toString('base64') })).toMatch(/not compressed with gzip/);
  });

  test('leaves turns to everything else', async () => {
    const alone = (work: () => unknown) => longestTurn(() => Promise.resolve(work()));
    const content = stored(LARGE);
    const given = packed(TEXT);
    const reading = [
      await alone(() => readCapsule(Buffer.from(TEXT))),
      await longestTurn(() => openCapsuleFile(given)),
    ];
    const saving = [await alone(() => capsuleText(LARGE)), await longestTurn(() => capsuleFileOf(content, true))];
    console.info('longest turns, ms:', { reading, saving });
    for (const [before = 0, now = 0] of [reading, saving]) expect(now).toBeLessThan(before / 2);
  });
});
