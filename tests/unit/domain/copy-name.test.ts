import { expect, test } from 'vitest';
import { copyName } from '../../../src-preload/domain/text/copy-name.ts';

test.for([
  ['a name that is free', 'Check', [], 'Check copy'],
  ['one that is taken in another letter case', 'Check', ['Check', 'check COPY'], 'Check copy 2'],
  ['several that are taken', 'A', ['a copy', 'a copy 2'], 'A copy 3'],
  ['one that is taken in another form of Unicode', 'Füller', ['Fu\u0308ller copy'], 'Füller copy 2'],
  ['one that is as long as a name can be', 'x'.repeat(100), [], `${'x'.repeat(95)} copy`],
  ['one whose end is cut at a space', `${'x'.repeat(94)} yyyyy`, [], `${'x'.repeat(94)} copy`],
  ['one that would be cut within a character', `${'x'.repeat(94)}🚀🚀🚀`, [], `${'x'.repeat(94)} copy`],
] as const)('a copy is named apart: %s', ([, name, taken, copy]) => {
  expect(copyName(name, taken, 100)).toBe(copy);
});
