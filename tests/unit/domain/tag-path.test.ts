import { describe, expect, test } from 'vitest';
import { commonGroupOf } from '#domain/tag/tag-path';

describe('the common group of tags', () => {
  test('is the innermost one, and keeps the names of tag and property', () => {
    expect(commonGroupOf(['P.Line1.Filler.Speed.Value', 'P.Line1.Filler.Temperature.Value'])).toBe('P.Line1.Filler');
    expect(commonGroupOf(['P.Line1.Filler.Speed.Value', 'P.Line1.Filler.Speed.Limit'])).toBe('P.Line1.Filler');
    expect(commonGroupOf(['P.Line1.Speed.Value', 'P.Line10.Speed.Value', 'P.Line1.Speed.Limit'])).toBe('P');
    expect(commonGroupOf(['P.Line1.A.Speed.Value', 'P.Line1.Speed.Value', 'P.Line2.Speed.Value'])).toBe('P');
    expect(commonGroupOf(['P.Speed.Value', 'P.Line1.Speed.Value'])).toBe('P');
  });

  test('is empty for other roots, for one tag, and for none', () => {
    expect(commonGroupOf(['P.Line1.Speed.Value', 'Q.Line1.Speed.Value'])).toBe('');
    expect(commonGroupOf(['P.Line1.Speed.Value', 'P.Line1.Speed.Value'])).toBe('');
    expect(commonGroupOf([])).toBe('');
  });
});
