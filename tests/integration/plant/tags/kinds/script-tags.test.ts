import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { thrownBy } from '../../../../support/thrown-by.ts';
import type { ScriptPlant } from '../script-plant.ts';
import { scriptPlant } from '../script-plant.ts';

let plant: ScriptPlant;

beforeAll(async () => {
  plant = await scriptPlant();
  await plant.tag('Plant.A.Value', 'storage', 'Int', { initial: 1 });
  await plant.tag('Plant.B.Value', 'storage', 'Int', { initial: 2 });
});
afterAll(() => plant.close());

const read = async (path: string, scope: { diagram?: string; location?: string } = {}) =>
  (await plant.tags.get({ paths: [path], ...scope }))[0];
const valueOf = async (path: string) => (await read(path))?.value;
const get = (path: string) => `return TagValueManager.Get(['${path}']).Value[0]`;

describe('a read', () => {
  test('returns the result of the read script, converted to the type of the tag', async () => {
    const body = `
      const { Value: [a, b] } = TagValueManager.Get(['Plant.A.Value', 'Plant.B.Value']);
      return String(a.Value + b.Value);`;
    await plant.scriptTag('Read.Sum.Value', { read: body }, 'Int');
    expect(await read('Read.Sum.Value')).toEqual({ path: 'Read.Sum.Value', value: 3, quality: 'Good', type: 'Int' });
    const { result } = await plant.run(`return TagValueManager.Get(['Read.Sum.Value'])`);
    expect(result).toMatchObject({ Success: true, Value: [{ Value: 3, Quality: 'Good', Type: 'Int' }] });
  });

  test('passes the script its path, the scopes of the call, and no tag value', async () => {
    const body = 'return [tagName, tagScopeDiagram, tagScopeLocation, typeof tagValue]';
    await plant.scriptTag('Read.Context.Value', { read: body });
    expect((await read('Read.Context.Value', { diagram: 'D', location: 'L' }))?.value).toEqual([
      'Read.Context.Value',
      'D',
      'L',
      'undefined',
    ]);
    expect(await valueOf('Read.Context.Value')).toEqual(['Read.Context.Value', null, null, 'undefined']);
    const odd = await plant.run(`return [undefined, null, '', 'x'].map((scope) =>
      TagValueManager.Get(['Read.Context.Value'], scope, 'Ort 1').Value[0].Value.slice(1, 3))`);
    expect(odd.result).toEqual([...Array.from({ length: 3 }, () => [null, 'Ort 1']), ['x', 'Ort 1']]);
    const wrong = await plant.run(`return TagValueManager.Get(['Read.Context.Value'], { odd: 1 })`);
    expect(wrong).toMatchObject({ status: 'error', error: { name: 'TypeError' } });
    const long = await plant.run(`return TagValueManager.Get(['Read.Context.Value'], 'x'.repeat(600))`);
    expect(long.error?.message).toContain('at most 512 characters');
  });

  test('of a tag twice in one call runs its script once', async () => {
    await plant.tag('Read.Count.Value', 'storage', 'Int', { initial: 0 });
    const body = `const n = TagValueManager.Get(['Read.Count.Value']).Value[0].Value + 1;
      TagValueManager.Set([{ tag: 'Read.Count.Value', value: n }]);
      return n;`;
    await plant.scriptTag('Read.Counting.Value', { read: body }, 'Int');
    const values = await plant.tags.get({ paths: ['Read.Counting.Value', 'Read.Counting.Value'] });
    expect(values.map(({ value }) => value)).toEqual([1, 1]);
    expect(await valueOf('Read.Count.Value')).toBe(1);
  });

  test.each([
    ['throws', 'const x = 1;\nthrow new Error("no water")', 'BadInternalError', 'failed in line 2: no water'],
    ['does not compile', 'return (1', 'BadInternalError', 'failed in line 1'],
    ['returns a value of a wrong type', 'return "x"', 'BadTypeMismatch', 'cannot be converted to Int'],
    ['returns something that is not a value', 'return () => 1', 'BadInternalError', 'a function'],
    ['never ends', 'for (;;);', 'BadTimeout', 'limits.scriptMs'],
    ['takes all memory', 'const a = []; for (;;) a.push(new Array(1e5).fill(0))', 'BadOutOfMemory', 'limits.memoryMb'],
  ])('of a script that %s has a bad quality and the reason', async (name, body, quality, reason) => {
    const scriptMs = name === 'never ends' ? 1_000 : 60_000;
    await plant.settings.update({ 'limits.scriptMs': scriptMs, 'limits.memoryMb': 32 });
    const path = `Read.Fails.${name.replaceAll(' ', '')}`;
    await plant.scriptTag(path, { read: body }, 'Int');
    expect(await read(path)).toMatchObject({ value: null, quality, reason: expect.stringContaining(reason) });
    const report = await plant.run(get(path));
    expect(report).toMatchObject({ status: 'ok', result: { Value: null, Quality: quality } });
    expect(report.reads).toMatchObject([{ path, quality, reason: expect.stringContaining(reason) }]);
    expect(report.nested).toMatchObject([{ parent: 1, tag: path, access: 'read' }]);
    await plant.settings.update({ 'limits.scriptMs': 5_000, 'limits.memoryMb': 128 });
  });

  test('of a tag without a read script is BadNotReadable', async () => {
    await plant.scriptTag('Write.Only.Value', { write: 'return' });
    expect(await read('Write.Only.Value')).toMatchObject({ quality: 'BadNotReadable', value: null });
  });
});

describe('a write', () => {
  test('runs the write script with tagValue, and its Sets in the same transaction', async () => {
    const write = `TagValueManager.Set([
      { tag: 'Plant.A.Value', value: tagValue.a },
      { tag: 'Plant.B.Value', value: tagValue.b },
    ], tagScopeDiagram, tagScopeLocation)`;
    await plant.scriptTag('Write.Both.Value', { write });
    const report = await plant.run(`return TagValueManager.Set([
      { tag: 'Write.Both.Value', value: { a: 5, b: 6 } }, { tag: 'Plant.A.Value', value: 7 }]).Value.map((v) => v.Value)`);
    expect(report.result).toEqual([{ a: 5, b: 6 }, 7]);
    expect([await valueOf('Plant.A.Value'), await valueOf('Plant.B.Value')]).toEqual([7, 6]);
    expect(report.writes).toMatchObject([
      { seq: 1, path: 'Write.Both.Value', before: null, notRead: true, value: { a: 5, b: 6 } },
      { seq: 2, path: 'Plant.A.Value', before: 5, value: 7 },
    ]);
    expect(report.nested).toMatchObject([
      {
        parent: 1,
        tag: 'Write.Both.Value',
        access: 'write',
        status: 'ok',
        writes: [
          { path: 'Plant.A.Value', before: 1, value: 5 },
          { path: 'Plant.B.Value', before: 2, value: 6 },
        ],
      },
    ]);
    await plant.tags.set({ items: [{ tag: 'Write.Both.Value', value: { a: 1, b: 2 } }], location: 'Line2' });
    expect(await read('Plant.A.Value', { location: 'Line2' })).toMatchObject({ value: 1 });
    expect(await valueOf('Plant.A.Value')).toBe(7);
  });

  test('whose script throws halfway writes nothing, and has the error with its line', async () => {
    const write = `TagValueManager.Set([{ tag: 'Plant.A.Value', value: 99 }]);
      if (TagValueManager.Get(['Plant.A.Value']).Value[0].Value !== 99) throw new Error('not seen');
      throw new Error('halfway');`;
    await plant.scriptTag('Write.HalfWay.Value', { write });
    const report = await plant.run(`
      TagValueManager.Set([{ tag: 'Plant.B.Value', value: 98 }, { tag: 'Write.HalfWay.Value', value: 1 }])`);
    expect(report.status).toBe('error');
    expect(report.error?.failures).toEqual([
      {
        tag: 'Write.HalfWay.Value',
        index: 1,
        reason: expect.stringMatching(/write script ".*" failed in line 3: halfway$/),
      },
    ]);
    expect(report.writes).toEqual([]);
    expect(report.nested).toMatchObject([{ parent: null, line: 2, tag: 'Write.HalfWay.Value', status: 'error' }]);
    expect([await valueOf('Plant.A.Value'), await valueOf('Plant.B.Value')]).toEqual([7, 6]);
  });

  test('that fails and is caught by another script writes nothing', async () => {
    const write = `try { TagValueManager.Set([{ tag: 'Write.HalfWay.Value', value: 1 }]) } catch {}
      TagValueManager.Set([{ tag: 'Plant.B.Value', value: tagValue }])`;
    await plant.scriptTag('Write.Catches.Value', { write }, 'Int');
    await plant.tags.set({ items: [{ tag: 'Write.Catches.Value', value: 60 }] });
    expect([await valueOf('Plant.A.Value'), await valueOf('Plant.B.Value')]).toEqual([7, 60]);
  });

  test('is rejected without a write script, and if the value does not convert', async () => {
    const error = await thrownBy(() =>
      plant.tags.set({
        items: [
          { tag: 'Read.Sum.Value', value: 1 },
          { tag: 'Write.Catches.Value', value: 'x' },
        ],
      }),
    );
    expect(error.data['failures']).toEqual([
      { tag: 'Read.Sum.Value', index: 0, reason: expect.stringContaining('BadNotWritable') },
      { tag: 'Write.Catches.Value', index: 1, reason: expect.stringContaining('cannot be converted to Int') },
    ]);
  });

  test('may read the tag itself', async () => {
    await plant.tag('Write.Limit.Stored', 'storage', 'Int', { initial: 10 });
    await plant.scriptTag(
      'Write.Limit.Value',
      {
        read: `return TagValueManager.Get(['Write.Limit.Stored']).Value[0].Value`,
        write: `const before = TagValueManager.Get([tagName]).Value[0].Value;
          if (Math.abs(tagValue - before) > 5) throw new Error('a step over 5');
          TagValueManager.Set([{ tag: 'Write.Limit.Stored', value: tagValue }]);`,
      },
      'Int',
    );
    await plant.tags.set({ items: [{ tag: 'Write.Limit.Value', value: 14 }] });
    expect(await valueOf('Write.Limit.Value')).toBe(14);
    await expect(plant.tags.set({ items: [{ tag: 'Write.Limit.Value', value: 40 }] })).rejects.toThrow('a step over 5');
  });

  test('saves nothing in a dry run, and the run sees it', async () => {
    const report = await plant.run(
      `TagValueManager.Set([{ tag: 'Write.Limit.Value', value: 15 }]);\n${get('Write.Limit.Value')}.Value`,
      { dryRun: true },
    );
    expect(report.result).toBe(15);
    expect(await valueOf('Write.Limit.Value')).toBe(14);
  });

  test('from a read script is saved at once, but not in a dry run', async () => {
    expect((await plant.run(get('Read.Counting.Value'), { dryRun: true })).result).toMatchObject({ Value: 2 });
    expect(await valueOf('Read.Count.Value')).toBe(1);
    expect((await plant.run(get('Read.Counting.Value'))).result).toMatchObject({ Value: 2 });
    expect(await valueOf('Read.Count.Value')).toBe(2);
  });
});

describe('bindings', () => {
  test('survive renames of the script or group and restarts, and use the last save', async () => {
    const id = await plant.script('First name', 'return 1');
    await plant.tag('Bound.One.Value', 'script', 'Int', { readScript: 'test/first NAME', writeScript: '' });
    const settings = () => plant.tags.definitions.definition({ path: 'Bound.One.Value' }).settings;
    expect(settings()).toEqual({ readScript: 'Test/First name', updateMs: 5_000 });
    await plant.scripts.save({ id, group: 'Moved', name: 'Second', description: '', body: 'return 2' });
    expect(settings()).toMatchObject({ readScript: 'Moved/Second' });
    expect(await valueOf('Bound.One.Value')).toBe(2);
    await plant.scripts.renameGroup({ name: 'Moved', newName: 'Gone' });
    await plant.script('First name', 'return 3');
    expect(plant.tags.definitions.export({ format: 'json', filter: 'Bound.One' }).text).toContain(
      '"readScript":"Gone/Second"',
    );
    const again = plant.reopen();
    expect(again.definitions.definition({ path: 'Bound.One.Value' }).settings).toMatchObject({
      readScript: 'Gone/Second',
    });
    expect(await again.get({ paths: ['Bound.One.Value'] })).toMatchObject([{ value: 2 }]);
    await plant.tags.definitions.save({
      ...plant.tags.definitions.definition({ path: 'Bound.One.Value' }),
      description: 'still bound',
    });
    expect(await valueOf('Bound.One.Value')).toBe(2);
  });

  test('to a deleted script are reported, and work again when it is restored', async () => {
    const { id } = plant.scripts.get({ group: 'Gone', name: 'Second' });
    await plant.scripts.delete({ id });
    const gone = { quality: 'BadConfigurationError', reason: expect.stringContaining('was deleted') };
    expect(await read('Bound.One.Value')).toMatchObject(gone);
    expect(await plant.reopen().get({ paths: ['Bound.One.Value'] })).toMatchObject([gone]);
    await plant.scripts.restore({ id });
    expect(await valueOf('Bound.One.Value')).toBe(2);
  });

  test.each([
    [{}, 'name a script'],
    [{ readScript: 'Test/Frist name' }, 'No script is named "Test/Frist name"'],
    [{ readScript: 'no slash' }, '"Group/Name"'],
    [{ readScript: 7 }, 'readScript'],
    [{ readScript: 'Test/First name', updateMs: 1 }, 'updateMs'],
    [{ readScript: 'Test/First name', other: 1 }, 'other'],
  ])('are rejected if %j', async (settings, message) => {
    const error = await thrownBy(() => plant.tag('Bound.Bad.Value', 'script', 'Int', settings));
    expect(error.code).toBe('BAD_REQUEST');
    expect(error.message).toContain(message);
  });

  test('may change during a run: each call uses the current tags', async () => {
    await plant.scriptTag('Bound.Lost.Value', { read: 'return 1' });
    const slow = plant.run(`let seen = []; const until = Date.now() + 4000;
      while (seen.length < 2 && Date.now() < until) {
        const { Quality } = TagValueManager.Get(['Bound.Lost.Value']).Value[0];
        if (seen.at(-1) !== Quality) seen.push(Quality);
      }
      return seen;`);
    // The tag is being read.
    await expect.poll(() => plant.hosts.status().busy, { interval: 1 }).toBe(2);
    await plant.tags.definitions.delete({ paths: ['Bound.Lost.Value'] });
    expect((await slow).result).toEqual(['Good', 'BadNodeIdUnknown']);
  });
});

describe('a value that JSON cannot represent', () => {
  beforeAll(async () => {
    for (const type of ['String', 'Double', 'DateTime', 'Json'] as const)
      await plant.tag(`Unfit.${type}.Value`, 'storage', type);
  });

  test.each(['2n ** 64n', '-(10n ** 50n)', '12n', '2n ** 53n'])('is written to a String tag: %s', async (value) => {
    const report = await plant.run(`TagValueManager.Set([{ tag: 'Unfit.String.Value', value: ${value} }]);
      return String(${value})`);
    expect(report.writes).toMatchObject([{ value: report.result, type: 'String' }]);
    expect(await valueOf('Unfit.String.Value')).toBe(report.result);
  });

  test('is rejected with the type of its tag, together with all other items', async () => {
    const { error } = await plant.run(`TagValueManager.Set([{ tag: 'Unfit.Double.Value', value: NaN },
      { tag: 'Unfit.DateTime.Value', value: new Date(NaN) }, { tag: 'Unfit.Json.Value', value: { a: [Infinity] } },
      { tag: 'Unfit.Double.Value', value: 2n ** 64n }, { tag: 'Unfit.Missing.Value', value: NaN },
      { tag: 'Unfit.Json.Value', value: () => 1 }, { tag: 'Unfit.Double.Value', value: 'x' }, { tag: 'Unfit.String.Value', value: 'fine' }])`);
    expect(error?.failures).toEqual([
      { tag: 'Unfit.Double.Value', index: 0, reason: 'the value is NaN, which a tag of type Double cannot store' },
      {
        tag: 'Unfit.DateTime.Value',
        index: 1,
        reason: 'the value is an invalid Date, which a tag of type DateTime cannot store',
      },
      {
        tag: 'Unfit.Json.Value',
        index: 2,
        reason: 'the value.a[0] is Infinity, which a tag of type Json cannot store',
      },
      {
        tag: 'Unfit.Double.Value',
        index: 3,
        reason:
          'the value is a BigInt (18446744073709551616n) beyond ±2^53, which a tag of type Double cannot store; use a tag of type String',
      },
      { tag: 'Unfit.Missing.Value', index: 4, reason: expect.stringContaining('does not exist') },
      { tag: 'Unfit.Json.Value', index: 5, reason: 'the value is a function; use its result instead' },
      { tag: 'Unfit.Double.Value', index: 6, reason: expect.stringContaining('cannot be converted to Double') },
    ]);
  });
});

test('scripts see why a read was bad or uncertain', async () => {
  await plant.tag('Reason.Never.Value', 'storage', 'Int');
  await plant.tag('Reason.Forced.Value', 'machine', 'Int', { signal: { kind: 'constant', value: 1 } });
  await plant.tags.force({ path: 'Reason.Forced.Value', quality: 'BadNotConnected' });
  await plant.tag('Reason.Sum.Value', 'calculation', 'Double', { expression: "tag('Reason.Never.Value') + 1" });
  await plant.scriptTag('Reason.Throws.Value', { read: 'throw new Error("no water")' });
  const paths = ['Never', 'Forced', 'Sum', 'Throws', 'Missing'].map((name) => `Reason.${name}.Value`);
  const { result, reads } = await plant.run(
    `return TagValueManager.Get(${JSON.stringify(['Plant.A.Value', ...paths])}).Value.map(({ Reason }) => Reason)`,
  );
  expect(result).toEqual([
    null,
    'it was never written, and has no initial value',
    'the quality is forced',
    'its input "Reason.Never.Value": UncertainInitialValue, it was never written, and has no initial value',
    'its read script "Test/Reason.Throws.Value read" failed in line 1: no water',
    'the tag does not exist',
  ]);
  expect(reads[1]?.reason).toBe('it was never written, and has no initial value');
});

test('a call with invalid arguments is in the trace, also if it was caught', async () => {
  await plant.settings.update({ 'limits.scriptMs': 60_000 });
  const { status, rejected = [] } = await plant.run(`
    const attempt = (work) => { try { work(); } catch {} };
    attempt(() => TagValueManager.Get('A.B.C'));
    attempt(() => TagValueManager.Set([{ tag: 'A.B.C' }, 5]));
    attempt(() => TagValueManager.Get([], {}));
    attempt(() => TagValueManager.Get(new Array(1_100_000).fill('')));`);
  expect(status).toBe('ok');
  expect(rejected.map(({ access, path, reason, line }) => [access, path, reason, line])).toEqual([
    ['read', 'TagValueManager.Get', expect.stringContaining('but got a text'), 3],
    ['write', 'A.B.C', expect.stringContaining('has no value'), 4],
    ['write', 'tags[1]', expect.stringContaining('tags[1] is a number (5)'), 4],
    [
      'read',
      'TagValueManager.Get',
      expect.stringContaining('the Diagram scope must be a text or null, not an object'),
      5,
    ],
    ['read', 'TagValueManager.Get', expect.stringContaining('takes at most 1,048,576 tags'), 6],
  ]);
});
