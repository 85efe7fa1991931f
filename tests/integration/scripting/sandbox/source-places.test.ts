import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunError } from '#domain/run/run';
import type { ScriptHostPool } from '../../../../src-main/scripting/sandbox/supervisor/script-host-pool.ts';
import { columns, realPool, runScript } from '../../../support/scripting/script-runs.ts';

let pool: ScriptHostPool;

beforeAll(() => {
  pool = realPool({ spare: false });
});
afterAll(() => pool.close());

const compiles = (error: RunError | null) => error?.name !== 'SyntaxError';

describe('source positions are those the author sees', () => {
  test.each([
    ['in line 1', 'null.x', 1, 6],
    ['in a later line', 'let a = 1;\n\n   null.x', 3, 9],
    ['after "use strict"', '"use strict";\nundeclared = 1', 2, 12],
    ['after an await', 'await 0;\nawait (async () => {\n  await 0;\n  null.x })()', 4, 8],
    ['with Windows line ends', 'let a = 1;\r\nnull.x', 2, 6],
    ['with a naming comment', 'let a = 1;\nnull.x //# sourceURL=other.js', 2, 6],
    ['that does not parse', 'let a = 1;\nlet b = ;', 2, 9],
    ['that is declared twice', 'let a;\n  let a;', 2, 7],
    ['of a call with wrong arguments', '\n  TagValueManager.Get(5)', 2, 19],
  ])('%s', async (_, body, line, column) => {
    const { status, error } = await runScript(pool, body);
    expect(status).toBe('error');
    expect(error).toMatchObject({ line, column });
    // A body that does not compile has not run, so the stack is empty.
    expect(error?.stack.slice(0, 1)).toEqual(compiles(error) ? [expect.objectContaining({ line, column })] : []);
  });

  test.each([
    ['if (a) {\n  b();', /missing \}/, 2],
    ['foo(1,\n', /missing \) or \]/, 2],
    ['const s = `abc\n', /ends too early/, 2],
    ['if (a) {\n}\n}\nb();', /unexpected \}/, 3],
    ['const s = "}"; // }\n/* } */ const r = /}/;\n }', /unexpected \}/, 3],
    ['}', /unexpected \}/, 1],
    ['('.repeat(100_000), /nested too deeply|ends too early/, null],
  ])('%j is explained', async (body, message, line) => {
    const { error } = await runScript(pool, body);
    expect(error?.name).toBe('SyntaxError');
    expect(error?.message).toMatch(message);
    expect(error?.line).toBe(line);
    expect(error?.stack).toEqual([]);
  });

  test('the stack shows only code of the author', async () => {
    const body =
      'class Filler {\n  check() { throw new RangeError("full") }\n}\nfunction run() { new Filler().check() }\nrun();';
    expect((await runScript(pool, body)).error?.stack).toEqual([
      { function: 'Filler.check', line: 2, column: 19 },
      { function: 'run', line: 4, column: 31 },
      { function: null, line: 5, column: 1 },
    ]);
  });

  test('host calls have their line', async () => {
    const lines: (number | null)[] = [];
    const calls = {
      get: (tags: string[], _: unknown, line: number | null) => (lines.push(line), columns(tags.map(() => 1))),
      set: () => columns([]),
    };
    await runScript(pool, 'TagValueManager.Get(["a"]);\nconst f = () =>\n  TagValueManager.Get(["b"]);\nf();', {
      calls,
    });
    expect(lines).toEqual([1, 3]);
  });
});

describe('a body', () => {
  test('is a separate function body, with await and return', async () => {
    expect((await runScript(pool, 'const x = await 5; { return [x, typeof this, arguments.length] }')).result).toEqual([
      5,
      'object',
      0,
    ]);
  });

  test('gets the variables of its run', async () => {
    const context = {
      tagName: 'A.B.C',
      tagScopeDiagram: 'Line 1',
      tagScopeLocation: 'WC7',
      tagValue: { a: [1, null] },
    };
    const { result } = await runScript(pool, 'return [tagName, tagScopeDiagram, tagScopeLocation, tagValue]', {
      context,
    });
    expect(result).toEqual(['A.B.C', 'Line 1', 'WC7', { a: [1, null] }]);
    expect((await runScript(pool, 'return tagValue === undefined')).result).toBe(true);
  });

  test('may have 1 MB', async () => {
    expect((await runScript(pool, `/*${'x'.repeat(1_000_000)}*/ return 7`)).result).toBe(7);
  });

  test('with an unhandled rejection reports it on the console', async () => {
    const outcome = await runScript(pool, 'Promise.reject(new Error("lost")); return 3');
    expect(outcome).toMatchObject({ status: 'ok', result: 3 });
    expect(outcome.console[0]?.level).toBe('error');
    expect(outcome.console[0]?.text).toContain('Error: lost');
    const handled = await runScript(
      pool,
      'const p = Promise.reject(1); await 0; await 0; try { await p } catch (e) { return e }',
    );
    expect(handled).toMatchObject({ result: 1, console: [] });
  });

  test('keeps order between console, reads and writes', async () => {
    const { console } = await runScript(
      pool,
      'console.log("a"); TagValueManager.Get(["x"]); console.info("b"); return 1',
    );
    expect(console.map(({ level, text }) => [level, text])).toEqual([
      ['log', 'a'],
      ['info', 'b'],
    ]);
    expect(console[1]?.at).toBeGreaterThanOrEqual(console[0]?.at ?? 0);
  });
});
