import type { DebugProtocol } from '@vscode/debugprotocol';
import { beforeAll, describe, expect, test } from 'vitest';
import { builtProduct } from '../../../support/product/product.ts';
import { DebugClient } from '../../../support/scripting/debug-client.ts';
import { bodyOfValues, LAST_LINE, NAMES_OF_VALUES } from './counting-values.ts';
import { plant } from './debug-plant.ts';

beforeAll(() => builtProduct());

/** Members that are listed, but not in turn unfolded: there is no end of them. */
const LEVELS = 3;

describe('the view of values runs no code of the script', () => {
  test('variables, their members, their texts in containers, and hovers', async () => {
    const { client } = await plant();
    const debug = await DebugClient.open(client);
    await debug.launch({ body: bodyOfValues('ran') });
    await debug.breakpoints('body', [{ line: LAST_LINE }]);
    await debug.ok('configurationDone');
    await debug.stopped();
    const ran = async () =>
      (await debug.list((await debug.variables())['ran']?.variablesReference ?? 0))
        .map(({ value }) => value)
        .slice(0, -2);
    const unfold = async ({ value, variablesReference, presentationHint }: DebugProtocol.Variable, level: number) => {
      expect(value).not.toBe('');
      if (variablesReference === 0 || presentationHint?.lazy === true || level === LEVELS) return;
      for (const member of await debug.list(variablesReference, { start: 0, count: 60 }))
        await unfold(member, level + 1);
    };
    const variables = await debug.variables();
    expect(Object.keys(variables)).toEqual(expect.arrayContaining(NAMES_OF_VALUES));
    for (const name of [...NAMES_OF_VALUES, 'inside', 'errors']) {
      const variable = variables[name];
      if (variable) await unfold(variable, 1);
      expect(await ran(), name).toEqual([]);
    }
    const [frame] = await debug.frames();
    for (const name of NAMES_OF_VALUES) {
      for (const member of ['', '.toString', '.name', '.size', '.length', '.message', '.constructor', '.a', '[0]']) {
        await debug.send('evaluate', { expression: `${name}${member}`, context: 'hover', frameId: frame?.id ?? 0 });
        expect(await ran(), `${name}${member}`).toEqual([]);
      }
    }
    await debug.ok('continue');
    expect(await debug.report()).toMatchObject({ status: 'ok', result: [] });
  });

  test('a pause on an exception', async () => {
    const { client } = await plant();
    const debug = await DebugClient.open(client);
    const body = `let ran = 0;
class Odd extends Error { get message() { ran += 1; return 'odd' } get name() { ran += 1; return 'Odd' } }
const odd = new Odd();
Object.defineProperty(odd, 'stack', { get() { ran += 1; return '' } });
try { throw odd } catch { odd.seen = ran }
try { throw { toString() { ran += 1; return 'text' } } } catch { odd.seen = ran }
try { throw new Proxy({}, { get() { ran += 1 }, getPrototypeOf() { ran += 1; return null }, has() { ran += 1 } }) } catch { odd.seen = ran }
return ran;`;
    await debug.ok('initialize');
    await debug.launch({ body });
    await debug.ok('setExceptionBreakpoints', { filters: ['all'] });
    await debug.ok('configurationDone');
    for (let pause = 0; pause < 3; pause += 1) {
      expect(await debug.stopped()).toMatchObject({ reason: 'exception' });
      expect(await debug.locals()).toMatchObject({ ran: '0' });
      await debug.ok('continue');
    }
    expect(await debug.report()).toMatchObject({ status: 'ok', result: 0 });
  });

  test('hovers show members, and never call a getter', async () => {
    const { client } = await plant();
    const debug = await DebugClient.open(client);
    const body = `let ran = 0;
const order = { id: 7, 'two words': [1, { deep: 'x' }], get total() { ran += 1; return 5 } };
class Base { static own = 3; get size() { ran += 1 } }
class Derived extends Base { constructor() { super(); this.kind = 'd' } }
const derived = new Derived(), text = 'abc', map = new Map([[1, 2]]), none = null;
Object.defineProperty(globalThis, 'odd', { get() { ran += 1; return 1 } });
return ran;`;
    await debug.launch({ body });
    await debug.breakpoints('body', [{ line: 7 }]);
    await debug.ok('configurationDone');
    await debug.stopped();
    const [frame] = await debug.frames();
    const hover = async (expression: string) => {
      const {
        success,
        message,
        body: found,
      } = await debug.send('evaluate', {
        expression,
        context: 'hover',
        frameId: frame?.id ?? 0,
      });
      return success ? (found as { result: string }).result : `failed: ${message}`;
    };
    const shown: Record<string, string> = {};
    for (const expression of [
      'order.id',
      'order["two words"][1].deep',
      "order['two words'].length",
      'order.total',
      'order.total.x',
      'derived.kind',
      'derived.size',
      'Derived.own',
      'text.length',
      'text[1]',
      'map.size',
      'none?.x',
      'Math.PI',
      'odd',
      'ran',
      'this',
      'f()',
      'order.none',
    ])
      shown[expression] = await hover(expression);
    expect(shown).toEqual({
      'order.id': '7',
      'order["two words"][1].deep': '"x"',
      "order['two words'].length": '2',
      'order.total': '(...)',
      'order.total.x': 'failed: Error: a getter is called only on demand',
      'derived.kind': '"d"',
      'derived.size': '(...)',
      'Derived.own': '3',
      'text.length': '3',
      'text[1]': '"b"',
      'map.size': '1',
      'none?.x': 'undefined',
      'Math.PI': '3.141592653589793',
      odd: '(...)',
      ran: '0',
      this: 'globalThis',
      'f()': 'failed: Only names and members are shown here.',
      'order.none': 'undefined',
    });
    await debug.ok('continue');
    expect(await debug.report()).toMatchObject({ status: 'ok', result: 0 });
  });

  test('shown values', async () => {
    const { client } = await plant();
    const context = { tagName: '', tagScopeDiagram: null, tagScopeLocation: null };
    const body = bodyOfValues('ran').replace('ran.length = 0;', '');
    const { report, values } = await client.debug.values({ body, context, dryRun: true });
    expect(report).toMatchObject({ status: 'ok' });
    // What the setup itself runs, without notes.
    const plain = await client.runs.execute({ body, context, dryRun: true });
    expect(report.result).toEqual(plain.result);
    expect(values.length).toBeGreaterThan(NAMES_OF_VALUES.length);
  });
});
