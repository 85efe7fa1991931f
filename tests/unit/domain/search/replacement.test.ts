import { expect, test } from 'vitest';
import { MatchPlaces } from '../../../../src-preload/domain/search/found.ts';
import { compileQuery } from '../../../../src-preload/domain/search/query.ts';
import { replacementOf, shownReplacement } from '../../../../src-preload/domain/search/replacement.ts';

/** The text with every match replaced. */
function replaced(text: string, search: string, by: string, { regex = true, preserveCase = false } = {}): string {
  const query = { text: search, regex, matchCase: false, wholeWord: false };
  const compiled = compileQuery(query);
  if (!compiled.ok) throw new Error(compiled.problem);
  let result = '';
  let done = 0;
  for (const { start, end, groups } of compiled.matcher(text)) {
    result += text.slice(done, start);
    result += replacementOf(text.slice(start, end), groups, query, { text: by, preserveCase });
    done = end;
  }
  return result + text.slice(done);
}

test('groups by number and by name', () => {
  expect(replaced('a=1, b=2', '(\\w)=(\\d)', '$2=$1')).toBe('1=a, 2=b');
  expect(replaced('a=1', '(?<key>\\w)=(?<value>\\d)', '$<value>=$<key>')).toBe('1=a');
  expect(replaced('ab', '(a)(b)', '$12')).toBe('a2');
  expect(replaced('ab', '(a)(x)?b', '[$2]')).toBe('[]');
});

test('the whole match, a dollar sign, and an unknown group', () => {
  expect(replaced('speed', 'speed', '[$&] [$0] $$1')).toBe('[speed] [speed] $1');
  expect(replaced('speed', 'speed', '$1 $<name> $x $')).toBe('$1 $<name> $x $');
  expect(replaced('ab', '(?<key>a)b', '$<other>')).toBe('$<other>');
});

test('line breaks and tabs', () => {
  expect(replaced('a;b', ';', ';\\n\\t')).toBe('a;\n\tb');
  expect(replaced('a;b', ';', '\\\\n')).toBe('a\\nb');
});

test('matches of nothing are insertions', () => {
  expect(replaced('a\nb', '^', '// ')).toBe('// a\n// b');
});

test('a plain text is inserted as it is', () => {
  expect(replaced('speed', 'speed', '$1\\n$&', { regex: false })).toBe('$1\\n$&');
});

test('the case of the match is preserved', () => {
  const how = { regex: false, preserveCase: true };
  expect(replaced('speed Speed SPEED sPeed', 'speed', 'flow rate', how)).toBe(
    'flow rate Flow rate FLOW RATE flow rate',
  );
  expect(replaced('X x 1', 'x', 'level', how)).toBe('Level level 1');
});

test('is shown as it is saved, or not at all', () => {
  const shown = (text: string, search: string, by: string, preserveCase = false) => {
    const query = { text: search, regex: true, matchCase: false, wholeWord: false };
    const compiled = compileQuery(query);
    const [first] = compiled.ok ? compiled.matcher(text) : [];
    return first && shownReplacement(new MatchPlaces(text).matchOf(first), query, { text: by, preserveCase });
  };
  const long = 'x'.repeat(301);
  expect(shown('ab', '(a)(b)', '$2$1')).toBe('ba');
  expect(shown('a'.repeat(21), '(a)'.repeat(21), '$21')).toBe('… (too long to show)');
  expect(shown(long, 'x+', '$&')).toBe('… (too long to show)');
  expect(shown(long, 'x+', 'y', true)).toBe('… (too long to show)');
  expect(shown(long, 'x(?=(x*))', '[$1]')).toBe(`[${long.slice(1)}]`);
  expect(shown(`${long}x`, 'x(?=(x*))', '[$1]')).toBe('… (too long to show)');
  expect(shown(long, 'x+', 'y')).toBe('y');
});
