import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { scriptTestText } from '#contract/texts/script-test-text';
import type { Coverage } from '#domain/run/coverage';
import { coverageByLine, stateOfLine } from '#domain/run/coverage';
import { compactTest, testOfRun } from '#domain/run/script-test';
import { createLog } from '../../../../src-main/platform/log.ts';
import { openWorkbench } from '../../../../src-main/workbench.ts';
import { builtProduct, ROOT } from '../../../support/product/product.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';

beforeAll(() => builtProduct());

const SPEED = 'Plant.Line.Pump.Speed';
const DOUBLE = 'Plant.Line.Pump.Double';
const ALARM = 'Plant.Line.Pump.Alarm';

async function plant() {
  const log = createLog({ write: () => undefined });
  const directory = join(temporaryFolder(), 'plant');
  const workbench = await openWorkbench({ directory, root: ROOT, createSample: false, oneShot: true, log });
  onTestFinished(() => workbench.close());
  const { tags, rules, scripts, scriptTests } = workbench.services;
  const tag = { description: '', unit: '' };
  await tags.definitions.save({ ...tag, path: SPEED, kind: 'storage', type: 'Double', settings: { initial: 1 } });
  await tags.definitions.save({ ...tag, path: ALARM, kind: 'storage', type: 'Boolean', settings: {} });
  await tags.definitions.save({
    ...tag,
    path: DOUBLE,
    kind: 'calculation',
    type: 'Double',
    settings: { expression: `tag('${SPEED}') * 2` },
  });
  await rules.save({
    name: 'Alarms',
    description: '',
    enabled: true,
    triggersEvents: true,
    tags: [ALARM, DOUBLE],
    sampling: { kind: 'onChange' },
    window: { kind: 'count', samples: 1 },
    outputs: [{ name: 'alarm', reducer: 'last', tag: ALARM }],
    condition: 'alarm === true',
  });
  const check = async (body: string, given: unknown, run: { body?: string; coverage?: boolean } = {}) => {
    const { id: scriptId } = await scripts.save({ group: 'Tests', name: crypto.randomUUID(), description: '', body });
    const { id } = await scriptTests.save({
      ...scriptTestText().parse({ name: 'a test', ...Object(given) }),
      scriptId,
    });
    return scriptTests.run({ id, ...run });
  };
  return { ...workbench.services, check };
}

const fixture = (tag: string, value: unknown, more: object = {}) => ({ tag, value, ...more });

describe('tests of scripts', () => {
  test('fixtures are seen by the script and calculations; its writes are not saved', async () => {
    const { check, tags } = await plant();
    const body = `const { Value } = TagValueManager.Get(['${SPEED}', '${DOUBLE}']);
      TagValueManager.Set([{ tag: '${SPEED}', value: 9 }]);
      return Value.map((item) => item.Value);`;
    const outcome = await check(body, {
      tags: [fixture(SPEED, 21)],
      expect: { result: [21, 42], writes: [{ tag: SPEED, value: 9 }] },
    });
    expect(outcome).toMatchObject({ passed: true, failures: [] });
    expect((await tags.get({ paths: [SPEED] }))[0]?.value).toBe(1);
  });

  test('fixtures can set a calculation and a bad quality, until the script writes', async () => {
    const { check } = await plant();
    const body = `const first = TagValueManager.Get(['${DOUBLE}', '${SPEED}']);
      TagValueManager.Set([{ tag: '${SPEED}', value: 5 }]);
      const second = TagValueManager.Get(['${SPEED}']);
      return [first.Value[0].Value, first.Value[1].Quality, second.Value[0].Value];`;
    const outcome = await check(body, {
      tags: [fixture(DOUBLE, 7), fixture(SPEED, null, { quality: 'BadSensorFailure' })],
      expect: { result: [7, 'BadSensorFailure', 5] },
    });
    expect(outcome.failures).toEqual([]);
  });

  test('differences of results, writes, errors and events are reported', async () => {
    const { check } = await plant();
    const body = `TagValueManager.Set([{ tag: '${SPEED}', value: 2 }]); return { items: [1, 2, 3], ok: true };`;
    const wrong = await check(body, {
      expect: {
        result: { items: [1, 5, 3] },
        writes: [{ tag: SPEED, value: 3 }],
        events: [{ rule: 'Alarms', count: 1 }],
      },
    });
    expect(wrong.passed).toBe(false);
    expect(wrong.failures.map(({ differences: _list, ...failure }) => failure)).toEqual([
      { check: 'result', message: 'result.items[1]: expected 5, got 2\nresult.ok: expected nothing, got true' },
      { check: 'writes', message: `writes[0].value (${SPEED}): expected 3, got 2` },
      { check: 'events', message: 'events.Alarms: expected 1, got nothing' },
    ]);
    expect(wrong.failures[1]?.differences).toEqual([
      { tag: SPEED, place: 'writes[0].value', expected: '3', actual: '2' },
    ]);
    const failed = await check('throw new Error("no speed");', { expect: { status: 'error', error: 'no speed' } });
    expect(failed.passed).toBe(true);
    const unexpected = await check('return 1;\n', {}, { body: '\nthrow new Error("oops");' });
    expect(unexpected.failures).toEqual([
      { check: 'status', message: 'expected the run to end with ok, but it ended with error: oops in line 2' },
    ]);
  });

  test('events are those that rules create from the writes, with the same count', async () => {
    const { check } = await plant();
    const set = (value: boolean) => `TagValueManager.Set([{ tag: '${ALARM}', value: ${value} }]);`;
    const twice = await check(set(true) + set(false) + set(true), {
      tags: [fixture(ALARM, false)],
      expect: { events: [{ rule: 'Alarms', count: 2 }] },
    });
    expect(twice).toMatchObject({ passed: true, events: [{ rule: 'Alarms', count: 2 }] });
    const none = await check(set(false), { tags: [fixture(ALARM, false)], expect: { events: [] } });
    expect(none.passed).toBe(true);
  });

  test('API calls reach only the mocks of the test', async () => {
    const { check, settings } = await plant();
    await settings.update({ 'api.mode': 'live' });
    const body = `return ApiValueManager.Fetch('http://127.0.0.1:9/orders?id=1', 'get', null).ResponseObject;`;
    const mocks = [
      {
        name: 'orders',
        request: { url: 'http://127.0.0.1:9/orders' },
        answer: { body: { kind: 'json', json: { n: 4 } } },
      },
    ];
    const answered = await check(body, { mocks });
    expect(JSON.stringify(answered.report?.result)).toContain('4');
    const unanswered = await check(body, {});
    expect(unanswered.report?.apiCalls).toMatchObject([{ error: 'NoMock' }]);
  });

  test('an impossible fixture is reported before anything runs', async () => {
    const { check } = await plant();
    const outcome = await check('return 1;', { tags: [fixture('Plant.Line.Pump.Sped', 1), fixture(SPEED, 'fast')] });
    expect(outcome).toMatchObject({ passed: false, report: null });
    expect(outcome.failures.map(({ message }) => message).join('\n')).toMatch(
      /"Plant\.Line\.Pump\.Sped".*Plant\.Line\.Pump\.Speed[^]*"fast" cannot be converted to Double/,
    );
  });

  test('a run becomes a test that passes, and reads back unchanged from its file', async () => {
    const { check, runs } = await plant();
    const body = `const [item] = TagValueManager.Get(['${DOUBLE}']).Value;
      TagValueManager.Set([{ tag: '${SPEED}', value: item.Value + tagValue }]);
      return item.Value;`;
    const context = { tagName: 'A.B.C', tagScopeDiagram: null, tagScopeLocation: 'L', tagValue: 3 };
    const report = await runs.execute({ body, context, dryRun: true });
    const made = testOfRun('as it ran', context, report);
    expect(scriptTestText().parse(JSON.parse(JSON.stringify(compactTest(made))))).toEqual(made);
    expect(await check(body, made)).toMatchObject({ passed: true });
    expect((await check(body.replace('+ tagValue', '- tagValue'), made)).failures).toMatchObject([{ check: 'writes' }]);
  });

  test('names are unique within a script, and tests are deleted with their script', async () => {
    const { scripts, scriptTests } = await plant();
    const { id: scriptId } = await scripts.save({ group: 'G', name: 'S', description: '', body: 'return 1;' });
    const text = scriptTestText().parse({ name: 'Größe' });
    const { id } = await scriptTests.save({ ...text, scriptId });
    await expect(scriptTests.save({ ...text, name: 'GRÖSSE'.replace('SS', 'ß'), scriptId })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    await scriptTests.save({ ...text, name: 'Other', scriptId, id });
    expect(scriptTests.list({ scriptId }).map(({ name }) => name)).toEqual(['Other']);
    await scripts.delete({ id: scriptId });
    expect(scriptTests.list()).toEqual([]);
    await scripts.restore({ id: scriptId });
    await scriptTests.delete({ id });
    await expect(scriptTests.run({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('coverage of tests', () => {
  const linesOf = (coverage: Coverage | undefined) =>
    coverage && Object.fromEntries([...coverageByLine(coverage)].map(([line, one]) => [line, stateOfLine(one)]));

  test('has the lines that ran, and is off unless it is requested', async () => {
    const { check } = await plant();
    const body = `const { Value } = TagValueManager.Get(['${SPEED}']);
if (Value[0].Value > 10) {
  console.log('fast');
} else return Value.map(
  (one) => one.Value);
return 0;`;
    const outcome = await check(body, { expect: { result: [1] } }, { coverage: true });
    expect(outcome.failures).toEqual([]);
    expect(linesOf(outcome.coverage)).toEqual({ 1: 'all', 2: 'all', 3: 'none', 4: 'all', 5: 'all', 6: 'none' });
    expect(outcome.report?.reads[0]?.line).toBe(1);
    expect((await check(body, {})).coverage).toBeUndefined();
  });

  test('errors have the same places, and what ran before them is covered', async () => {
    const { check } = await plant();
    const body = `function f() { if (true) throw new Error('x'); return 1; }
try { f(); } catch { } f();`;
    const [plain, counted] = [await check(body, {}), await check(body, {}, { coverage: true })];
    expect(counted.report?.error).toEqual(plain.report?.error);
    expect(counted.failures).toEqual(plain.failures);
    expect(linesOf(counted.coverage)).toEqual({ 1: 'some', 2: 'all' });
    const broken = await check('return (', {}, { coverage: true });
    expect(broken.report?.error).toEqual((await check('return (', {})).report?.error);
    expect(broken.coverage).toBeUndefined();
  });

  test('limits apply to the script itself', async () => {
    const { check, settings } = await plant();
    await settings.update({ 'limits.scriptMs': 200 });
    const outcome = await check('for (;;);', {}, { coverage: true });
    expect(outcome.report?.status).toBe('timeout');
    const limit = await check(`/*${'x'.repeat(1_048_540)}*/ let a = 1; a++; return a`, {}, { coverage: true });
    expect(limit).toMatchObject({ report: { status: 'ok', result: 2 } });
    expect(limit.coverage).toBeUndefined();
  });

  test('a script that only counting makes too deep passes without', async () => {
    const { check } = await plant();
    const expected = { expect: { status: 'ok', result: 1 } };
    const deep = `let a=0;${'if(a)'.repeat(1_500)}a=1; return 1`;
    expect(await check(deep, expected, { coverage: true })).toMatchObject({ passed: true, failures: [] });
    const thrown = await check('let a = 1;\nJSON.parse("x")', {}, { coverage: true });
    expect(linesOf(thrown.coverage)).toEqual({ 1: 'all', 2: 'all' });
  });

  test('a script that calls the counter itself changes only its own coverage', async () => {
    const { check } = await plant();
    const body =
      "const find = eval('$' + 'c');\nfor (const n of [-1, 0.5, 1e9, 'x', {}, 2]) find(n);\nif (false)\n  a();";
    const outcome = await check(body, { expect: { status: 'ok' } }, { coverage: true });
    expect(outcome.failures).toEqual([]);
    expect(outcome.coverage?.executed).toMatch(/^[01]+$/);
  });
});
