import { fc } from '../../../support/run/random.ts';
import { describe, expect, test } from 'vitest';
import { encodeFrame, FrameError, FrameReader } from '../../../../src-main/platform/host-pipe/frames.ts';

const frames = fc.array(fc.record({ type: fc.integer({ min: 0, max: 255 }), text: fc.string({ unit: 'grapheme' }) }));

/** The stream in pieces of the given sizes, repeated as often as needed. */
function cut(stream: Buffer, sizes: number[]): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0, turn = 0; at < stream.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    pieces.push(stream.subarray(at, at + size));
    at += size;
  }
  return pieces;
}

describe('frames', () => {
  test('are received as sent, however the stream is split', () => {
    fc.assert(
      fc.property(frames, fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (sent, sizes) => {
        const stream = Buffer.concat(sent.map(({ type, text }) => encodeFrame(type, text)));
        const received: { type: number; text: string }[] = [];
        const reader = new FrameReader(() => 1e6);
        for (const piece of cut(stream, sizes)) reader.push(piece, (type, text) => received.push({ type, text }) > 0);
        expect(received).toEqual(sent);
      }),
    );
  });

  test('over their limit are rejected by the header alone', () => {
    const header = encodeFrame(7, 'x'.repeat(101)).subarray(0, 5);
    const reader = new FrameReader(() => 100);
    expect(() => reader.push(header, () => true)).toThrow(FrameError);
  });

  test('of unknown type are rejected, even if the header arrives byte by byte', () => {
    const reader = new FrameReader((type) => (type === 7 ? 10 : -1));
    const pieces = cut(encodeFrame(8, ''), [1]);
    expect(() => pieces.forEach((piece) => reader.push(piece, () => true))).toThrow('unknown type 8');
  });

  test('are not passed on after the consumer has stopped', () => {
    const seen: string[] = [];
    const stream = Buffer.concat([encodeFrame(1, 'a'), encodeFrame(1, 'b')]);
    new FrameReader(() => 10).push(stream, (_, text) => seen.push(text) > 1);
    expect(seen).toEqual(['a']);
  });
});
