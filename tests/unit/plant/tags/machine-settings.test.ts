import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#domain/text/json';
import type { TagType } from '#domain/tag/tag';
import { describeIssues } from '../../../../src-main/plant/tags/definitions/definition.ts';
import { parseMachineSettings } from '../../../../src-main/plant/tags/kinds/machine-settings.ts';

const problem = (settings: JsonObject, type: TagType = 'Double'): string => {
  const parsed = parseMachineSettings(settings, type);
  if (parsed.ok) throw new Error(`accepted: ${JSON.stringify(parsed.settings)}`);
  return describeIssues(parsed.issues);
};
const accepted = (settings: JsonObject, type: TagType = 'Double') => {
  const parsed = parseMachineSettings(settings, type);
  if (!parsed.ok) throw new Error(describeIssues(parsed.issues));
  return parsed.settings;
};
const csv = (text: string, more: JsonObject = {}): JsonObject => ({ signal: { kind: 'csv', csv: text, ...more } });

describe('settings of a machine tag', () => {
  test('are completed, and then accepted unchanged', () => {
    const settings = accepted({ signal: { kind: 'sine', min: 0, max: 1, periodMs: 1_000 } });
    expect(settings).toEqual({ signal: { kind: 'sine', min: 0, max: 1, periodMs: 1_000 }, noise: 0, updateMs: 1_000 });
    expect(accepted({ signal: { kind: 'sine', min: 0, max: 1, periodMs: 1_000 }, noise: 0, updateMs: 1_000 })).toEqual(
      settings,
    );
  });

  test('are converted to the type of the tag', () => {
    expect(accepted({ signal: { kind: 'constant', value: '12' } }, 'Int').signal).toEqual({
      kind: 'constant',
      value: 12,
    });
    const square = { kind: 'square', low: 0, high: 1, periodMs: 10 };
    expect(accepted({ signal: square }, 'Boolean').signal).toMatchObject({ low: false, high: true });
    expect(accepted({ signal: { kind: 'constant', value: '2026-01-01T00:00:00+01:00' } }, 'DateTime').signal).toEqual({
      kind: 'constant',
      value: '2025-12-31T23:00:00.000Z',
    });
  });

  test.each<[string, JsonObject, TagType, string]>([
    ['no signal', {}, 'Double', 'settings.signal: '],
    ['an unknown signal', { signal: { kind: 'tide' } }, 'Double', 'settings.signal.kind: write one of constant, sine'],
    ['a missing member', { signal: { kind: 'ramp', min: 0, max: 1 } }, 'Double', 'settings.signal.periodMs: '],
    [
      'an unknown member',
      { signal: { kind: 'constant', value: 1, speed: 2 } },
      'Double',
      '"speed" is not a field here',
    ],
    [
      'min above max',
      { signal: { kind: 'sine', min: 2, max: 1, periodMs: 9 } },
      'Double',
      'settings.signal.min: min is above max',
    ],
    ['no period', { signal: { kind: 'ramp', min: 0, max: 1, periodMs: 0 } }, 'Double', 'settings.signal.periodMs: '],
    [
      'an endless number',
      { signal: { kind: 'ramp', min: 0, max: 1e300, periodMs: 1 } },
      'Double',
      'settings.signal.max: ',
    ],
    [
      'a duty above 1',
      { signal: { kind: 'square', low: 0, high: 1, periodMs: 1, duty: 2 } },
      'Int',
      'settings.signal.duty: ',
    ],
    [
      'a tiny step',
      { signal: { kind: 'randomWalk', min: 0, max: 1e9, step: 0.1 } },
      'Double',
      'less than a billionth of the range',
    ],
    [
      'a counter that grows too large',
      { signal: { kind: 'counter', start: 0, increment: 1e6, everyMs: 1 } },
      'Int',
      'set wrapAt',
    ],
    [
      'a counter that runs away',
      { signal: { kind: 'counter', start: 5, increment: 1, everyMs: 9, wrapAt: 5 } },
      'Int',
      'never reaches it',
    ],
    [
      'a sine for a text',
      { signal: { kind: 'sine', min: 0, max: 1, periodMs: 1 } },
      'String',
      'a sine signal needs type Int or Double, not String',
    ],
    [
      'a constant of another type',
      { signal: { kind: 'constant', value: 'on' } },
      'Boolean',
      'settings.signal.value: the text "on" cannot be converted to Boolean',
    ],
    [
      'a square of another type',
      { signal: { kind: 'square', low: 0, high: 2, periodMs: 1 } },
      'Boolean',
      'settings.signal.high: ',
    ],
    [
      'noise on a text',
      { signal: { kind: 'constant', value: 'x' }, noise: 1 },
      'String',
      'settings.noise: only Int and Double',
    ],
    ['negative noise', { signal: { kind: 'constant', value: 1 }, noise: -1 }, 'Double', 'settings.noise: '],
    ['an update of 0 ms', { signal: { kind: 'constant', value: 1 }, updateMs: 0 }, 'Double', 'settings.updateMs: '],
    [
      'no start for a single play',
      { signal: { kind: 'csv', rows: [{ at: 0, value: 1 }], loop: false } },
      'Int',
      'settings.signal.startAt: to play it once, set the start',
    ],
    [
      'a start that is no moment',
      { signal: { kind: 'csv', rows: [{ at: 0, value: 1 }], startAt: 'noon' } },
      'Int',
      'settings.signal.startAt: write RFC 3339',
    ],
    [
      'rows out of order',
      {
        signal: {
          kind: 'csv',
          rows: [
            { at: 0, value: 1 },
            { at: 0, value: 2 },
          ],
        },
      },
      'Int',
      'settings.signal.rows.1.at: ',
    ],
    [
      'rows that begin late',
      { signal: { kind: 'csv', rows: [{ at: 5, value: 1 }] } },
      'Int',
      'settings.signal.rows.0.at: ',
    ],
    [
      'a row of another type',
      { signal: { kind: 'csv', rows: [{ at: 0, value: 1.5 }] } },
      'Int',
      'settings.signal.rows.0.value: the number 1.5',
    ],
    ['no rows', { signal: { kind: 'csv', rows: [] } }, 'Int', 'settings.signal.rows: '],
  ])('reject %s', (_what, settings, type, message) => {
    expect(problem(settings, type)).toContain(message);
  });
});

const rows = (count: number) => `time,value\n${Array.from({ length: count }, (_, index) => `${index},1`).join('\n')}`;

describe('a recording as CSV', () => {
  test('becomes rows relative to its first time', () => {
    const dates = 'Time,Value\n2026-01-01T06:00:00+01:00,1\n2026-01-01T05:00:01.500Z,"2"\n';
    expect(accepted(csv(dates), 'Int').signal).toEqual({
      kind: 'csv',
      loop: true,
      startAt: '2026-01-01T05:00:00.000Z',
      rows: [
        { at: 0, value: 1 },
        { at: 1_500, value: 2 },
      ],
    });
    const ms = '\ufeffquality,value,time\r\nGood,true,1000\r\n\r\nGood,false,1250\r\n';
    expect(accepted(csv(ms), 'Boolean').signal).toEqual({
      kind: 'csv',
      loop: true,
      rows: [
        { at: 0, value: true },
        { at: 250, value: false },
      ],
    });
  });

  test.each([
    ['', 'line 1: a recording begins with a line that names its columns: time,value'],
    ['when,what\n1,2', 'line 1: a recording begins'],
    ['time,value\n', 'line 2: a recording needs at least one row'],
    ['time,value\n0,1\nlater,2', 'line 3: its time "later" is neither RFC 3339 text nor whole ms'],
    ['time,value\n0,1\n\n5,x', 'line 4: the text "x" cannot be converted to Int'],
    ['time,value\n0,1\n5', 'line 3: the text "" cannot be converted to Int'],
    ['time,value\n10,1\n10,2', 'line 3: its time is not later than the one before'],
    ['time,value\n2026-01-01T00:00:00Z,1\n5,2', 'line 3: its time has another format than the first one'],
    ['time,value\n2026-01-01T00:00:00,1', 'neither RFC 3339 text'],
    ['time,value\n0,"1', 'Quote Not Closed'],
  ])('%j is rejected with the line', (text, message) => {
    expect(problem(csv(text), 'Int')).toContain(`settings.signal.csv: `);
    expect(problem(csv(text), 'Int')).toContain(message);
  });

  test('accepts at most 100,000 rows', () => {
    expect(accepted(csv(rows(100_000)), 'Int').signal).toMatchObject({ rows: { length: 100_000 } });
    expect(problem(csv(rows(100_001)), 'Int')).toContain('at most 100000 rows, but this one has 100001');
  });
});
