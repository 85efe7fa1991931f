import type { Attack } from './attack.ts';

const TEXTS: Pick<Attack, 'name' | 'body' | 'scriptMs'>[] = [
  { name: 'an open string', body: 'return "abc' },
  { name: 'an open brace', body: 'if (1) {' },
  { name: 'a close too many', body: 'return 1; }' },
  { name: 'a close and an open', body: '} {' },
  { name: 'an open comment', body: '/* no end' },
  { name: 'an open template with an expression', body: 'return `${' },
  { name: 'an HTML comment', body: '<!-- x\nreturn 1 +' },
  { name: 'a hashbang in the middle', body: 'return 1\n#!/bin/sh\n(' },
  { name: 'a broken escape', body: 'return "\\u{110000}"' },
  { name: 'an octal in strict code', body: '"use strict"; return 017' },
  { name: 'with in strict code', body: '"use strict"; with ({}) {}' },
  { name: 'two variables of one name', body: 'let a; let a' },
  { name: 'a variable of the run, declared again with let inside and out', body: 'let tagName = 1; let tagName = 2' },
  { name: 'an export', body: 'export default 1' },
  { name: 'a private name that is none', body: 'return this.#a' },
  { name: 'yield outside of a generator', body: 'return yield* 1' },
  { name: 'a new.target with a suffix', body: 'return new.target.' },
  { name: 'a pattern that is none', body: 'return /(/' },
  { name: 'the separators of lines', body: 'return "a\u2028b" +\u2029' },
  { name: 'half of a surrogate pair', body: 'return \ud800' },
  { name: 'zeros', body: 'return\u0000 1 +' },
  { name: 'right-to-left overrides', body: 'return \u202e1 + ;' },
  { name: 'parentheses nested 20,000 deep', body: `return ${'('.repeat(20_000)}1` },
  { name: 'an endless expression', body: `return 1${' +1'.repeat(100_000)} +` },
  { name: '443 KB and an extra brace', body: `${'if (1) { f({ a: 1 }); }\n'.repeat(18_500)}}\nf()` },
  { name: 'an assignment to the wrapper', body: '} = 5' },
  { name: 'an error after a name of its own', body: '//# sourceURL=other\n )' },
  { name: 'more than a body may have', body: `// ${'x'.repeat(1_100_000)}\nreturn 1` },
];

/** Are not valid scripts. Each is rejected with a position, before any of it runs. */
export const SYNTAX: Attack[] = TEXTS.map((text) => ({ ...text, ends: ['error'] }));
