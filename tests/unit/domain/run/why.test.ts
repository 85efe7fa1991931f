import { describe, expect, test } from 'vitest';
import { thingOf, thingText, type WhyThing } from '#domain/run/why';
import { fc } from '../../../support/run/random.ts';

const id = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
const name = fc.string({ minLength: 1, unit: 'grapheme' });
const things: fc.Arbitrary<WhyThing> = fc.oneof(
  name.map((path) => ({ kind: 'tag' as const, path })),
  id.map((number) => ({ kind: 'event' as const, id: number })),
  fc.tuple(name, id).map(([table, row]) => ({ kind: 'row' as const, table, row })),
  id.map((run) => ({ kind: 'run' as const, run })),
  ...(['request', 'call', 'erp'] as const).map((kind) => id.map((number) => ({ kind, id: number }))),
);

describe('the text of a thing', () => {
  test('names the same thing', () => {
    fc.assert(
      fc.property(things, (thing) => {
        expect(thingOf(thingText(thing))).toEqual(thing);
      }),
    );
  });

  test.each(['', 'tag:', 'event:', 'event:0', 'event:1.5', 'event:1e3', 'event:99999999999999999', 'row:3', 'row:/3'])(
    'is not %j',
    (text) => expect(thingOf(text)).toBeNull(),
  );
});
