import { expect, test } from 'vitest';
import { LastEntries } from '../../../../src-main/scripting/sandbox/protocol/last-entries.ts';
import { fc } from '../../../support/run/random.ts';

test('the last entries are kept, up to a number and a length; others are counted', () => {
  fc.assert(
    fc.property(fc.nat(8), fc.nat(60), fc.array(fc.nat(20), { maxLength: 60 }), (most, mostLength, lengths) => {
      const kept = new LastEntries<number>(most, mostLength);
      let expected: number[] = [];
      const total = () => expected.reduce((sum, index) => sum + (lengths[index] ?? 0), 0);
      for (const [index, length] of lengths.entries()) {
        kept.add(index, length);
        expected.push(index);
        while (expected.length > most || total() > mostLength) expected = expected.slice(1);
        expect(kept.list()).toEqual(expected);
        expect(kept.dropped).toBe(index + 1 - expected.length);
      }
      expect(kept.take()).toEqual(expected);
      expect(kept.list()).toEqual([]);
    }),
  );
});
