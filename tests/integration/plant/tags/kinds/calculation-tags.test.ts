import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TagType } from '#domain/tag/tag';
import { thrownBy } from '../../../../support/thrown-by.ts';
import type { ScriptPlant } from '../script-plant.ts';
import { scriptPlant } from '../script-plant.ts';

let plant: ScriptPlant;

beforeAll(async () => {
  plant = await scriptPlant();
  await plant.tag('Plant.A.Value', 'storage', 'Double', { initial: 10 });
  await plant.tag('Plant.B.Value', 'storage', 'Double', { initial: 4 });
  await plant.tag('Plant.Text.Value', 'storage', 'String', { initial: "it's" });
  await plant.tag('Plant.List.Value', 'storage', 'Json', { initial: [{ n: 1 }, { n: 2 }] });
  await plant.tag('Plant.Empty.Value', 'storage', 'Double');
  await plant.tag('Plant.Signal.Value', 'machine', 'Double', { signal: { kind: 'constant', value: 7 } });
});
afterAll(() => plant.close());

const calculation = (path: string, expression: string, type: TagType = 'Double') =>
  plant.tag(path, 'calculation', type, { expression });
const read = (...paths: string[]) => plant.tags.get({ paths });
const one = async (path: string) => (await read(path))[0];
let count = 0;
/** The result of an expression. */
async function result(expression: string, type: TagType = 'Double') {
  count += 1;
  await calculation(`Try.C${count}.Value`, expression, type);
  return one(`Try.C${count}.Value`);
}

describe('a calculation', () => {
  test.each<[string, TagType, unknown]>([
    ["tag('Plant.A.Value') / tag('Plant.B.Value')", 'Double', 2.5],
    ["tag('Plant.A.Value') // a comment at the end", 'Double', 10],
    ['(tag(\n  `Plant.A.Value`\n) +\n 1)', 'Int', 11],
    ["tag('Plant.Text.Value') + ' ' + tag(\"Plant.A.Value\").toFixed(1)", 'String', "it's 10.0"],
    ["tag('Plant.A.Value') > 5 && tag('Plant.B.Value') < 5", 'Boolean', true],
    ["tag('Plant.A.Value') > 5 ? 'high' : 'low'", 'String', 'high'],
    ["tag('Plant.List.Value').reduce((sum, { n }) => sum + n, 0)", 'Int', 3],
    [
      "tag('Plant.List.Value').map((item) => ({ ...item, at: new Date(0) }))",
      'Json',
      [
        { n: 1, at: '1970-01-01T00:00:00.000Z' },
        { n: 2, at: '1970-01-01T00:00:00.000Z' },
      ],
    ],
    ['new Date(86_400_000)', 'DateTime', '1970-01-02T00:00:00.000Z'],
    ['new Uint8Array([1, 2, 3])', 'Bytes', 'AQID'],
    ["`${tag('Plant.A.Value')}`", 'Double', 10],
    ['(() => { let n = 0; for (let i = 0; i < 10; i++) n += i; return n })()', 'Int', 45],
    ['{ a: 1 }.a', 'Int', 1],
    ['1, 2', 'Int', 2],
    ['undefined', 'Int', null],
    ["tag('Plant.List.Value')[0].missing", 'Double', null],
  ])('%s of type %s', async (expression, type, value) => {
    expect(await result(expression, type)).toMatchObject({ value, quality: 'Good', type });
  });

  test.each<[string, TagType, string, string]>([
    ["tag('Plant.List.Value').x.y", 'Double', 'BadInternalError', 'TypeError: Cannot read properties of undefined'],
    ["tag('Plant.A.Value') + 0.5", 'Int', 'BadTypeMismatch', 'cannot be converted to Int'],
    ["tag('Plant.A.Value') / 0", 'Double', 'BadOutOfRange', 'Infinity'],
    ['Math.sqrt(-1)', 'Double', 'BadOutOfRange', 'NaN'],
    ['() => 1', 'Double', 'BadTypeMismatch', 'a function'],
    ['new Map([[1, 2]])', 'Json', 'BadTypeMismatch', 'a Map or a Set; make it an object or an array'],
    ['new Set([1])', 'Json', 'BadTypeMismatch', 'a Map or a Set'],
    ['(() => { throw null })()', 'Double', 'BadInternalError', 'null'],
    ['(() => { throw { get message() { throw 1 } } })()', 'Double', 'BadInternalError', 'cannot be shown'],
    ['(() => { const a = {}; a.a = a; return a })()', 'Json', 'BadInternalError', 'circular'],
    ['(function f() { return f() })()', 'Double', 'BadInternalError', 'RangeError'],
    ["tag('Plant.Nowhere.Value') + 1", 'Double', 'BadConfigurationError', 'the tag does not exist'],
  ])('%s of type %s is %s', async (expression, type, quality, reason) => {
    const value = await result(expression, type);
    expect(value).toMatchObject({ value: null, quality, type });
    expect(value?.reason).toContain(reason);
  });

  test.each([
    ['', 'write an expression'],
    ['1 +', 'line 1, column 4'],
    ['return 1', 'not an expression'],
    ['1; 2', 'not one expression'],
    ['1) + (2', 'unexpected ") + (2" in line 1, column 2. Write one expression'],
    ['1 +\n 2 3', 'unexpected "3" in line 2, column 4'],
    ['1 +\n 2 @', 'in line 2, column 4'],
    ['tag(path)', 'use one literal path'],
    ["tag('Plant.' + 'A.Value')", 'use one literal path'],
    ["tag('short')", 'segments'],
    ["['Plant.A.Value'].map(tag)", "use a literal path: tag('"],
    ['speed * 2', '"speed" is not known; name a tag as tag('],
    ['TagValueManager.Get([])', 'not known'],
    ['globalThis', 'not known'],
    ['eval("1")', '"eval" cannot be used'],
    ['$$v[0]', 'cannot be used'],
    ['this.x', 'this cannot be used'],
    ['await 1', 'not one expression'],
    ['(async () => 1)()', 'cannot use async functions'],
    ['import("fs")', 'import() cannot be used'],
    ['08 + 1', 'not an expression'],
    [`${'('.repeat(9_000)}1`, 'nested too deeply'],
    [`1${'+1'.repeat(6_000)}`, 'at most 10000 characters'],
  ])('that is invalid is not saved (%#)', async (expression, message) => {
    const error = await thrownBy(() => calculation('Bad.Expression.Value', expression));
    expect(error.code).toBe('BAD_REQUEST');
    expect(error.message).toContain(message);
    // What a check of the form reports before it is saved.
    const definition = { path: 'Bad.Expression.Value', type: 'Double', description: '', unit: '' } as const;
    const issues = error.data['issues'];
    expect(plant.tags.definitions.problems({ ...definition, kind: 'calculation', settings: { expression } })).toEqual({
      issues,
    });
  });

  test('cannot be written', async () => {
    await calculation('C.Fixed.Value', '1');
    const error = await thrownBy(() => plant.tags.set({ items: [{ tag: 'C.Fixed.Value', value: 2 }] }));
    expect(error.data['failures']).toMatchObject([{ reason: expect.stringContaining('BadNotWritable') }]);
  });

  test('sees the writes of the run', async () => {
    await calculation('C.Half.Value', "tag('Plant.A.Value') / 2");
    const body = `TagValueManager.Set([{ tag: 'Plant.A.Value', value: 50 }]);
      return TagValueManager.Get(['C.Half.Value', 'Plant.A.Value']).Value.map(({ Value }) => Value)`;
    expect((await plant.run(body, { dryRun: true })).result).toEqual([25, 50]);
    expect(await one('C.Half.Value')).toMatchObject({ value: 5 });
  });
});

describe('qualities', () => {
  test('is the worst of the inputs, unless the expression reads it', async () => {
    await plant.tags.force({ path: 'Plant.Signal.Value', quality: 'BadSensorFailure' });
    expect(await result("tag('Plant.Signal.Value') + tag('Plant.A.Value')")).toMatchObject({
      value: null,
      quality: 'BadSensorFailure',
      reason: 'its input "Plant.Signal.Value": BadSensorFailure, the quality is forced',
    });
    const handled = "quality('Plant.Signal.Value').startsWith('Bad') ? -1 : tag('Plant.Signal.Value')";
    expect(await result(handled)).toMatchObject({ value: -1, quality: 'Good' });
    expect(await result(`[${handled}, quality('Plant.No.Tag')].join()`, 'String')).toMatchObject({
      value: '-1,BadNodeIdUnknown',
      quality: 'Good',
    });
    await plant.tags.force({ path: 'Plant.Signal.Value', quality: 'UncertainSensorNotAccurate' });
    expect(await result("tag('Plant.Signal.Value')")).toMatchObject({
      value: 7,
      quality: 'UncertainSensorNotAccurate',
    });
    expect(await result("tag('Plant.Empty.Value')")).toMatchObject({ value: null, quality: 'UncertainInitialValue' });
    await plant.tags.force({ path: 'Plant.Signal.Value', quality: null });
  });

  test('passes through nested calculations, as conversions do', async () => {
    await calculation('Levels.One.Value', "tag('Plant.A.Value') / 3", 'String');
    await calculation('Levels.Two.Value', "tag('Levels.One.Value').length");
    await calculation('Levels.Bad.Value', 'null.x');
    await calculation('Levels.Over.Value', "tag('Levels.Bad.Value') + tag('Levels.Two.Value')");
    await calculation('Levels.Handles.Value', "quality('Levels.Bad.Value') + tag('Levels.Two.Value')", 'String');
    expect(await read('Levels.Over.Value', 'Levels.Two.Value', 'Levels.Handles.Value')).toMatchObject([
      { value: null, quality: 'BadInternalError', reason: expect.stringContaining('its input "Levels.Bad.Value"') },
      { value: String(10 / 3).length, quality: 'Good' },
      { value: `BadInternalError${String(10 / 3).length}`, quality: 'Good' },
    ]);
  });
});

describe('many in one Get', () => {
  test('are one run, even if they depend on each other over many levels', async () => {
    await plant.settings.update({ 'limits.scriptMs': 60_000 });
    await calculation('Tower.0.Value', "tag('Plant.B.Value')", 'Int');
    const definitions = Array.from({ length: 2_500 }, (_, index) => ({
      path: `Tower.${index + 1}.Value`,
      kind: 'calculation',
      type: 'Int',
      settings: { expression: `tag('Tower.${index}.Value') + 1` },
    }));
    const wide = Array.from({ length: 3_000 }, (_, index) => ({
      path: `Wide.${index}.Value`,
      kind: 'calculation',
      type: 'Double',
      settings: { expression: `tag('Plant.A.Value') * ${index} + tag('Tower.${index % 50}.Value')` },
    }));
    await plant.tags.definitions.import({ format: 'json', text: JSON.stringify([...definitions, ...wide]) });
    expect(await one('Tower.2500.Value')).toMatchObject({ value: 2_504, quality: 'Good' });
    const values = await read(...wide.map(({ path }) => path));
    expect(values.map(({ value }) => value)).toEqual(wide.map((_, index) => 10 * index + 4 + (index % 50)));
    const report = await plant.run(
      `return TagValueManager.Get(${JSON.stringify(wide.slice(0, 1_000).map(({ path }) => path))}).Success`,
    );
    expect(report).toMatchObject({ status: 'ok', result: true });
    expect(report.nested).toBeUndefined();
    await plant.settings.update({ 'limits.scriptMs': 5_000 });
  });

  test('are not affected by one that fails, never ends or uses up all memory', async () => {
    // Whichever limit it reaches first; on a busy machine, the time limit.
    const HUNGRY = expect.stringMatching(/^Bad(OutOfMemory|Timeout)$/);
    const bad = {
      'Mixed.Throws.Value': ['null.x', 'BadInternalError'],
      'Mixed.Endless.Value': ['(() => { for (;;); })()', 'BadTimeout'],
      'Mixed.Hungry.Value': ['(() => { const a = []; for (;;) a.push(new Array(1e6).fill(1)); })()', HUNGRY],
      'Mixed.Huge.Value': ["'x'.repeat(2 ** 25)", 'BadInternalError'],
    } as const;
    await plant.settings.update({ 'limits.memoryMb': 64 });
    for (const [path, [expression]] of Object.entries(bad)) await calculation(path, expression, 'String');
    const good = Array.from({ length: 40 }, (_, index) => `Tower.${index}.Value`);
    const all = [...good.slice(0, 20), ...Object.keys(bad), ...good.slice(20)];
    const values = await read(...all);
    expect(values.filter(({ path }) => path.startsWith('Tower')).map(({ quality }) => quality)).toEqual(
      good.map(() => 'Good'),
    );
    for (const [path, [, quality]] of Object.entries(bad)) {
      expect(values.find((value) => value.path === path)).toMatchObject({ value: null, quality });
    }
    // Calculations that had to be stopped are skipped for a while, so that nothing waits for them again.
    expect((await read(...good, 'Mixed.Endless.Value')).at(-1)).toMatchObject({
      quality: 'BadTimeout',
      reason: expect.stringContaining('retried after a minute'),
    });
    await calculation('Mixed.Endless.Value', "'saved again'", 'String');
    expect(await one('Mixed.Endless.Value')).toMatchObject({ value: 'saved again' });
    await plant.settings.update({ 'limits.memoryMb': 128 });
  });

  test.each([
    'Object.assign(Math, { round: () => 666 })',
    "(Array.prototype.map = () => 'mine', 1)",
    "[].constructor.constructor('globalThis.Number = globalThis.Math = 0; return 1')()",
    "[].constructor.constructor('this.String = () => 0; return typeof TagValueManager + typeof tagValue')()",
    "Object.defineProperty(Object.prototype, 'value', { get: () => 666 })",
    "tag('Plant.List.Value').push({ n: 600 })",
    "tag('Plant.List.Value')[0].n = 600",
    "JSON.stringify = () => '666'",
    '(function () { return (function f() { return f.caller })() })()',
    '((i) => { Math = 0 })()',
    'Array.from({ get length() { return 1 } }, () => 0).constructor.prototype.push = () => 0',
  ])('%s does not affect the others', async (hostile) => {
    await calculation('Hostile.One.Value', hostile, 'Json');
    await calculation(
      'Hostile.A.Value',
      "[1, 2].map((n) => Math.round(n * 1.4)).join(String(',')) + Number('3')",
      'String',
    );
    await calculation('Hostile.B.Value', "JSON.stringify(tag('Plant.List.Value'))", 'String');
    const values = await read('Hostile.A.Value', 'Hostile.One.Value', 'Hostile.B.Value', 'Hostile.A.Value');
    expect(values.filter(({ path }) => !path.includes('One')).map(({ value }) => value)).toEqual([
      '1,33',
      '[{"n":1},{"n":2}]',
      '1,33',
    ]);
    expect(JSON.stringify(values[1]?.value ?? null)).not.toContain('object');
  });
});

describe('a cycle', () => {
  const tagOf = (path: string) => ({ path, kind: 'calculation', type: 'Int', description: '', unit: '' }) as const;

  test('is detected and named when it is saved', async () => {
    await calculation('Ring.A.Value', "tag('Ring.B.Value')");
    await calculation('Ring.B.Value', "tag('Ring.C.Value') + quality('Plant.A.Value')");
    const error = await thrownBy(() => calculation('Ring.C.Value', "tag('Ring.A.Value')"));
    const unsaved = {
      path: 'Ring.C.Value',
      kind: 'calculation',
      type: 'Double',
      description: '',
      unit: '',
      settings: { expression: "tag('Ring.A.Value')" },
    } as const;
    expect(plant.tags.definitions.problems(unsaved)).toEqual({ issues: error.data['issues'] });
    expect(plant.tags.definitions.problems({ ...unsaved, settings: { expression: '1' } })).toEqual({ issues: [] });
    expect(() => plant.tags.definitions.tag('Ring.C.Value')).toThrow('Ring.C.Value');
    expect(error.data['issues']).toMatchObject([{ path: ['settings', 'expression'] }]);
    expect(error.message).toMatch(/Ring\.(.)\.Value → Ring\..\.Value → Ring\..\.Value → Ring\.\1\.Value/);
    await expect(calculation('Ring.Self.Value', "tag('Ring.Self.Value')")).rejects.toThrow(
      'Ring.Self.Value → Ring.Self.Value',
    );
    const rows = ['Ring.X.Value', 'Ring.Y.Value'].map((path, index, all) => ({
      path,
      kind: 'calculation',
      type: 'Int',
      settings: { expression: `tag('${all[1 - index]}')` },
    }));
    const { refused, created } = await plant.tags.definitions.import({ format: 'json', text: JSON.stringify(rows) });
    expect(created).toBe(0);
    expect(refused).toMatchObject([
      { row: 1, path: 'Ring.X.Value', reason: expect.stringContaining('in a cycle') },
      { row: 2, path: 'Ring.Y.Value' },
    ]);
  });

  test('is rejected if concurrent saves, an import or a rename would close it', async () => {
    const ends = await Promise.allSettled([
      calculation('Pair.A.Value', "tag('Pair.B.Value') + 1"),
      calculation('Pair.B.Value', "tag('Pair.A.Value') + 1"),
      plant.tags.definitions.import({
        format: 'json',
        text: JSON.stringify([{ ...tagOf('Pair.B.Value'), settings: { expression: "tag('Pair.A.Value')" } }]),
      }),
    ]);
    expect(ends).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: { message: expect.stringContaining('in a cycle') } },
      { status: 'fulfilled', value: { created: 0, refused: [{ reason: expect.stringContaining('in a cycle') }] } },
    ]);
    // A refers to B, which does not exist yet.
    await calculation('Pair.C.Value', "tag('Pair.A.Value')");
    const rename = { path: 'Pair.C.Value', newPath: 'Pair.B.Value', updateReferences: true };
    await expect(plant.tags.definitions.rename(rename, () => undefined)).rejects.toThrow('in a cycle');
    expect(plant.tags.definitions.has('Pair.C.Value')).toBe(true);
  });

  test('that is stored is detected when it is read', async () => {
    // Each service checks against the tags that it knows.
    const other = plant.reopen();
    await calculation('Twin.A.Value', "tag('Twin.B.Value') + 1");
    await other.definitions.save({ ...tagOf('Twin.B.Value'), settings: { expression: "tag('Twin.A.Value') + 1" } });
    await calculation('Twin.User.Value', "tag('Twin.A.Value')");
    const again = plant.reopen();
    const circle = { quality: 'BadConfigurationError', reason: expect.stringMatching(/Twin.*→.*Twin.*→.*Twin/) };
    expect(await again.get({ paths: ['Twin.A.Value', 'Twin.User.Value', 'Tower.1.Value'] })).toMatchObject([
      circle,
      circle,
      { quality: 'Good' },
    ]);
    other.close();
    again.close();
  });

  test('over a script tag is detected from both sides', async () => {
    await plant.scriptTag(
      'Over.Script.Value',
      {
        read: `return TagValueManager.Get(['Over.Calculation.Value']).Value[0].Quality`,
      },
      'String',
    );
    await calculation('Over.Calculation.Value', "tag('Over.Script.Value') + '!'", 'String');
    expect(await one('Over.Calculation.Value')).toMatchObject({ value: null, quality: 'BadConfigurationError' });
    const report = await plant.run(`return TagValueManager.Get(['Over.Script.Value']).Value[0].Value`);
    expect(report.nested?.[0]?.reads[0]?.reason).toContain(
      'Over.Script.Value → Over.Calculation.Value → Over.Script.Value',
    );
  });
});

describe('script tags as inputs', () => {
  test('run once per Get and are traced under the calculation that needs them', async () => {
    await plant.scriptTag('Input.Script.Value', { read: 'console.log(tagName); return 3' }, 'Int');
    await calculation('Input.Twice.Value', "tag('Input.Script.Value') * 2");
    await calculation('Input.Thrice.Value', "tag('Input.Script.Value') * 3");
    const report = await plant.run(
      `return TagValueManager.Get(['Plant.A.Value', 'Input.Twice.Value', 'Input.Thrice.Value']).Value.map((v) => v.Value)`,
    );
    expect(report.result).toEqual([10, 6, 9]);
    expect(report.nested).toMatchObject([
      { parent: 2, tag: 'Input.Script.Value', through: ['Input.Twice.Value'], console: [{ level: 'log' }] },
    ]);
  });
});

describe('a watch', () => {
  test('sees a calculation change with inputs, nested calculations and the clock', async () => {
    await calculation('Watch.Sum.Value', "tag('Plant.A.Value') + tag('Plant.B.Value')");
    await calculation('Watch.Over.Value', "tag('Watch.Sum.Value') * 10");
    await calculation('Watch.Signal.Value', "tag('Watch.Ramp.Value') >= 0", 'Boolean');
    await plant.tag('Watch.Ramp.Value', 'machine', 'Double', {
      signal: { kind: 'ramp', min: -1, max: 1, periodMs: 400 },
      updateMs: 200,
    });
    const stop = new AbortController();
    const paths = ['Watch.Over.Value', 'Watch.Signal.Value'];
    const seen: Record<string, unknown[]> = {};
    const written = plant.tags.onValues((touched) => void (seen['touched'] ??= []).push(...touched));
    const end = setTimeout(() => stop.abort(), 60_000);
    let isSet = false;
    for await (const batch of plant.tags.watch({ paths }, stop.signal)) {
      for (const { path, value } of batch) (seen[path] ??= []).push(value);
      if (!isSet) void plant.tags.set({ items: [{ tag: 'Plant.A.Value', value: 20 }] });
      isSet = true;
      if (seen['Watch.Over.Value']?.length === 2 && (seen['Watch.Signal.Value']?.length ?? 0) >= 3) stop.abort();
    }
    clearTimeout(end);
    written();
    expect(seen['Watch.Over.Value']).toEqual([140, 240]);
    expect(seen['Watch.Signal.Value']?.length).toBeGreaterThanOrEqual(3);
    expect(seen['touched']).toEqual(expect.arrayContaining(['Plant.A.Value', 'Watch.Sum.Value', 'Watch.Over.Value']));
    await plant.tags.set({ items: [{ tag: 'Plant.A.Value', value: 10 }] });
  });
});

describe('its references', () => {
  test('are updated when a tag is deleted or recreated, or the expression changes', async () => {
    await plant.tag('Come.Back.Value', 'storage', 'Int', { initial: 1 });
    await calculation('Refers.To.Value', "tag('Come.Back.Value')");
    await plant.tags.definitions.delete({ paths: ['Come.Back.Value'] });
    expect(await one('Refers.To.Value')).toMatchObject({ quality: 'BadConfigurationError' });
    await plant.tag('Come.Back.Value', 'storage', 'Int', { initial: 2 });
    expect(await one('Refers.To.Value')).toMatchObject({ value: 2 });
    const reading = one('Refers.To.Value');
    await calculation('Refers.To.Value', "tag('Come.Back.Value') + 100");
    expect([2, 102]).toContain((await reading)?.value);
    expect(await one('Refers.To.Value')).toMatchObject({ value: 102 });
    const again = plant.reopen();
    expect(await again.get({ paths: ['Refers.To.Value'] })).toMatchObject([{ value: 102 }]);
    expect(plant.logged).toEqual([]);
  });
});
