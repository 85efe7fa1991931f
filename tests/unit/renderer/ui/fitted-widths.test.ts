import { expect, test } from 'vitest';
import { type FittedColumn, fittedTracks } from '../../../../src-renderer/ui/lists/fitted-widths.ts';
import { fc } from '../../../support/run/random.ts';

const column = (track: string, content: number, chosen?: number): FittedColumn => ({ track, content, chosen });
const leastOf = (tracks: string): number[] => [...tracks.matchAll(/(\d+)px/g)].map(([, px]) => Number(px));

test('columns are as wide as their content, and those with a share get the rest', () => {
  const columns = [column('minmax(150px, 3fr)', 210), column('90px', 40), column('minmax(64px, 120px)', 180)];
  expect(fittedTracks(columns, 1_000)).toBe('minmax(210px, 3fr) 40px 180px');
});

test('scarce space is shared, and what one column does not need goes to the others', () => {
  const columns = (third: number) => [
    column('minmax(50px, 2fr)', 300),
    column('minmax(50px, 1fr)', 300),
    column('minmax(50px, 1fr)', third),
  ];
  expect(leastOf(fittedTracks(columns(300), 400))).toEqual([200, 100, 100]);
  expect(leastOf(fittedTracks(columns(16), 400))).toEqual([256, 128, 16]);
});

test('without enough space for the least widths, the table scrolls', () => {
  const columns = [column('minmax(150px, 2fr)', 300), column('90px', 100), column('70px', 30)];
  expect(leastOf(fittedTracks(columns, 100))).toEqual([150, 90, 30]);
});

test('a chosen width stays, and so does that of a drawing', () => {
  const columns = [
    column('minmax(150px, 2fr)', 300, 77),
    column('minmax(72px, 72px)', 8),
    column('minmax(50px, 1fr)', 200),
  ];
  expect(fittedTracks(columns, 900)).toBe('77px 72px minmax(200px, 1fr)');
  expect(fittedTracks(columns, 200)).toBe('77px 72px minmax(51px, 1fr)');
});

test('a very wide content does not take the space of the others', () => {
  const columns = [column('minmax(100px, 1fr)', 180), column('minmax(100px, 1fr)', 9_000)];
  expect(leastOf(fittedTracks(columns, 900))).toEqual([180, 400]);
  expect(leastOf(fittedTracks(columns, 400))).toEqual([180, 220]);
});

test('columns fill scarce space, and exceed it only at their least widths', () => {
  const any = fc.record({
    least: fc.integer({ min: 30, max: 150 }),
    share: fc.integer({ min: 1, max: 6 }),
    content: fc.integer({ min: 8, max: 600 }),
  });
  fc.assert(
    fc.property(fc.array(any, { minLength: 1, maxLength: 12 }), fc.integer({ min: 100, max: 2_000 }), (all, space) => {
      const columns = all.map(({ least, share, content }) => column(`minmax(${least}px, ${share}fr)`, content));
      const widths = leastOf(fittedTracks(columns, space));
      const sum = widths.reduce((a, b) => a + b, 0);
      const floors = all.map(({ least, content }) => Math.min(least, content));
      const wants = all.map(({ content }) => Math.min(content, 400));
      widths.forEach((width, place) => {
        expect(width).toBeGreaterThanOrEqual(floors[place] ?? 0);
        expect(width).toBeLessThanOrEqual(wants[place] ?? 0);
      });
      if (sum > space) expect(widths).toEqual(floors);
      else if (widths.some((width, place) => width < (wants[place] ?? 0))) {
        expect(sum).toBeGreaterThan(space - all.length - 1);
      }
    }),
  );
});
