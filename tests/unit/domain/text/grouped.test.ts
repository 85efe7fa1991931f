import { expect, test } from 'vitest';
import { grouped } from '#domain/text/grouped';
import { fc } from '../../../support/run/random.ts';

test('a count is grouped as Intl does it', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), (count) => {
      expect(grouped(count)).toBe(count.toLocaleString('en'));
    }),
  );
  for (const count of [0, 999, 1_000, 1_234_567]) expect(grouped(count)).toBe(count.toLocaleString('en'));
});
