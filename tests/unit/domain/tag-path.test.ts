import { describe, expect, test } from 'vitest';
import { commonGroupOf, MAX_PATH_LENGTH, problemOfTagPath } from '#domain/tag/tag-path';

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

describe('a path', () => {
  test.each(['A.b.c', 'Plant.Line-1.Filler_2.Speed.Value', 'Werk Süd.Linie 1.Füller.Druck', `A.b.${'c'.repeat(508)}`])(
    '%s is valid',
    (path) => expect(problemOfTagPath(path)).toBeNull(),
  );

  test.each([
    ['', 'cannot be empty'],
    ['A.b', 'at least three segments'],
    ['A..b.c', 'empty segment'],
    ['A.b.c.', 'empty segment'],
    ['A.b.c\n', 'control characters'],
    ['A. b.c', 'begin or end with a space'],
    ['A.b.\ud800', 'unpaired surrogate'],
    [`A.b.${'c'.repeat(509)}`, `at most ${MAX_PATH_LENGTH}`],
  ])('%j is invalid', (path, problem) => expect(problemOfTagPath(path)).toContain(problem));
});
