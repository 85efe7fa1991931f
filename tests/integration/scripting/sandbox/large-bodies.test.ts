import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ScriptHostPool } from '../../../../src-main/scripting/sandbox/supervisor/script-host-pool.ts';
import { realPool, runScript } from '../../../support/scripting/script-runs.ts';

const LINE = 'if (tagName) { JSON.stringify({ c: 1 }); }\n';
/** 10,309 lines of 43 characters are 443 KB. */
const LINES = 10_309;
const MANY = LINE.repeat(LINES);
/** The engine takes 177 MB to parse 500,000 blocks, and parses a body with an error again before it collects the first. */
const ROOM = { scriptMs: 60_000, totalMs: 60_000, memoryMb: 512 };

describe('a body that does not parse is an error with a position, whatever its size', () => {
  let pool: ScriptHostPool;

  beforeAll(() => {
    pool = realPool({ spare: false });
    pool.start();
  });
  afterAll(() => pool.close());

  test.each([
    ['an error at the end of 443 KB', `${MANY}let b = ;`, LINES + 1, /Unexpected token ';'/],
    ['an error at the start of 443 KB', `let b = ;\n${MANY}`, 1, /Unexpected token ';'/],
    ['an extra brace at the end of 443 KB', `${MANY}}\nlet b = 1;`, LINES + 1, /unexpected \}/],
    ['an extra brace in the middle of 443 KB', `${MANY}  }  // }\n${MANY}`, LINES + 1, /unexpected \}/],
    ['an extra brace at the start of 443 KB', `}\n${MANY}`, 1, /unexpected \}/],
    ['what closes the wrapper after 443 KB', `${MANY}}, function () {`, LINES + 1, /unexpected \}/],
    ['a brace that is open at the end of 443 KB', `{\n${MANY}`, LINES + 2, /missing \}/],
    ['1,000,000 braces and an error', `${'{}'.repeat(500_000)}\n)`, 2, /Unexpected token '\)'/],
    ['1,000,000 braces and one more', `${'{}'.repeat(500_000)}}`, 1, /unexpected \}/],
    ['1,000,000 braces that close', '}'.repeat(1_000_000), 1, /unexpected \}/],
    ['a comment full of braces', `}\n/*${'}'.repeat(1_000_000)}*/ evil()`, 1, /unexpected \}/],
    [
      'an object literal of 1 MB that does not end',
      `return {${'"aaaaaaaa": {},\n'.repeat(60_000)}`,
      60_001,
      /ends too early/,
    ],
    ['an assignment to the wrapper', 'let a = 1;\n} = 5', 2, /unexpected \}/],
    ['a body that becomes a parameter of the wrapper', '\n} => 1', 2, /unexpected \}/],
    ['a name of its own, and an error', '//# sourceURL=other\n )', 2, /Unexpected token '\)'/],
    ['a name with brackets, and an error', '//# sourceURL=[x:1:2]\n )', 2, /Unexpected token '\)'/],
    ['one line of 1 MB', `${'a;'.repeat(500_000)} )`, 1, /Unexpected token '\)'/],
  ])('%s', async (_, body, line, message) => {
    const { status, error } = await runScript(pool, body, { limits: ROOM });
    expect({ status, name: error?.name, line: error?.line }).toEqual({ status: 'error', name: 'SyntaxError', line });
    expect(error?.message).toMatch(message);
  });

  test.each([
    ['as deep as the engine parses', `return ${'('.repeat(500)}1${')'.repeat(500)}`],
    ['of 443 KB', `${MANY}return 1`],
  ])('a body %s runs', async (_, body) => {
    expect(await runScript(pool, body, { limits: ROOM })).toMatchObject({ status: 'ok', result: 1 });
  });
});
