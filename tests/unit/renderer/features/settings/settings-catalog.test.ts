import { describe, expect, test } from 'vitest';
import { settingsShape } from '#contract/settings';
import { DEFAULT_SETTINGS } from '#domain/workspace/settings';
import { found, GROUPS } from '../../../../../src-renderer/features/settings/model/catalog.ts';
import { HIDDEN, readText, textOf } from '../../../../../src-renderer/features/settings/model/setting-text.ts';

const FIELDS = GROUPS.flatMap(({ fields }) => fields);

describe('the settings of the view', () => {
  test('include every setting once', () => {
    const keys = FIELDS.map(({ key }) => key).toSorted();
    expect(keys).toEqual(Object.keys(DEFAULT_SETTINGS).toSorted());
  });

  test('have the ranges of the contract', () => {
    for (const { key, control } of FIELDS) {
      if (control.kind !== 'number') continue;
      const takes = (value: number) => settingsShape.shape[key].safeParse(value).success;
      expect([key, takes(control.min), takes(control.max)]).toEqual([key, true, true]);
      expect([key, takes(control.min - 1), takes(control.max + 1)]).toEqual([key, false, false]);
    }
  });

  test('read back unchanged from their text', () => {
    for (const { key, control } of FIELDS) {
      const value = DEFAULT_SETTINGS[key];
      if (control.kind === 'switch' || control.kind === 'key') continue;
      expect([key, readText(control, textOf(control, value), value)]).toEqual([key, { value }]);
    }
  });

  test('are found by words of title, help and name', () => {
    expect(found(GROUPS, 'events port free').flatMap(({ fields }) => fields.map(({ key }) => key))).toEqual([
      'events.port',
    ]);
    expect(found(GROUPS, 'no such thing')).toEqual([]);
  });
});

describe('typed settings', () => {
  const number = { kind: 'number', min: 10, max: 5_000, unit: 'ms' } as const;

  test.each([
    ['1 234', { value: 1_234 }],
    ['1\u202f234', { value: 1_234 }],
    ['1,5', { problem: 'Enter a whole number from 10 to 5,000, without commas and points' }],
    ['5.000', { problem: 'Enter a whole number from 10 to 5,000, without commas and points' }],
    ['', { problem: 'Enter a whole number from 10 to 5,000, without commas and points' }],
    ['9', { problem: 'Enter a number from 10 to 5,000' }],
  ])('the number "%s"', (text, read) => {
    expect(readText(number, text, 10)).toEqual(read);
  });

  test('a password of the proxy is hidden, and kept while the rest changes', () => {
    const control = { kind: 'proxy' } as const;
    const stored = 'http://plant:s3cret@proxy:3128';
    const text = textOf(control, stored);
    expect(text).toBe(`http://plant:${HIDDEN}@proxy:3128`);
    expect(readText(control, text.replace('3128', '8080'), stored)).toEqual({
      value: 'http://plant:s3cret@proxy:8080',
    });
    expect(readText(control, 'http://plant:new@proxy:3128', stored)).toEqual({ value: 'http://plant:new@proxy:3128' });
    const odd = 'http://plant:pa$$w@rd@proxy:3128';
    expect(textOf(control, odd)).toBe(`http://plant:${HIDDEN}@proxy:3128`);
    expect(readText(control, `http://plant:${HIDDEN}@proxy:1`, odd)).toEqual({
      value: 'http://plant:pa$$w@rd@proxy:1',
    });
    expect(textOf(control, 'http://plant:{{secret:PROXY}}@proxy')).toBe('http://plant:{{secret:PROXY}}@proxy');
  });

  test('hosts with ports and their headers', () => {
    const control = { kind: 'pairs', placeholder: '' } as const;
    expect(readText(control, 'erp:8443: X-Key\n\n b.example:Y ', {})).toEqual({
      value: { 'erp:8443': 'X-Key', 'b.example': 'Y' },
    });
    expect(readText(control, 'nothing', {})).toEqual({
      problem: '"nothing": enter a host, a colon and the name of a header',
    });
  });
});
