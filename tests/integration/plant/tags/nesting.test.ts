import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setTimeout as wait } from 'node:timers/promises';
import type { NestedRun, RunReport } from '#domain/run/run';
import type { ScriptPlant } from './script-plant.ts';
import { scriptPlant } from './script-plant.ts';
import { scaled } from '../../../support/run/scale.ts';

let plant: ScriptPlant;

beforeAll(async () => {
  plant = await scriptPlant({ count: 2, spare: false });
  await plant.tag('Plant.A.Value', 'storage', 'Int', { initial: 1 });
});
afterAll(() => plant.close());

const get = (path: string) => `return TagValueManager.Get(['${path}']).Value[0].Value`;
/** Tags that each read the next: `Chain.L1.Value` to `Chain.L<levels>.Value`; the last runs `leaf`. */
async function chainOf(name: string, levels: number, leaf: string): Promise<void> {
  for (let level = 1; level <= levels; level += 1) {
    const body = level === levels ? leaf : get(`${name}.L${level + 1}.Value`);
    await plant.scriptTag(`${name}.L${level}.Value`, { read: body });
  }
}
const write = (path: string) => `TagValueManager.Set([{ tag: '${path}', value: tagValue }])`;
const FAN = Array.from({ length: 7 }, (_, index) => `Load.L${index + 2}.Value`);
/** The nested runs of a report, outermost first, if each has one. */
function depths({ nested }: RunReport): NestedRun[] {
  const runs: NestedRun[] = [];
  for (let next = nested?.[0]; next; next = next.nested?.[0]) runs.push(next);
  return runs;
}
const noRunIsLeft = async () => {
  for (let tries = 0; tries < 100 && plant.hosts.status().busy > 0; tries += 1) await wait(10);
  expect(plant.hosts.status().busy).toBe(0);
};

describe('nesting', () => {
  test('goes 8 levels deep; one more is an error that names the chain and the setting', async () => {
    await chainOf('Deep', 9, 'console.log("leaf"); return 42');
    const fits = await plant.run(get('Deep.L2.Value'));
    expect(fits.result).toBe(42);
    expect(depths(fits)).toHaveLength(8);
    expect(depths(fits).at(-1)).toMatchObject({ tag: 'Deep.L9.Value', console: [{ text: 'leaf' }], reads: [] });
    const over = await plant.run(get('Deep.L1.Value'));
    expect(over.result).toBe(null);
    const [bad] = depths(over).at(-1)?.reads ?? [];
    expect(bad).toMatchObject({ path: 'Deep.L9.Value', quality: 'BadInternalError' });
    expect(bad?.reason).toContain('more than 8 deep (setting limits.nesting): Deep.L1.Value → Deep.L2.Value → ');
    await plant.settings.update({ 'limits.nesting': 0 });
    expect((await plant.run(get('Deep.L9.Value'))).reads).toMatchObject([{ quality: 'BadInternalError' }]);
    await plant.settings.update({ 'limits.nesting': 8 });
  });

  test('counts the same outside of a run', async () => {
    await chainOf('Outside', 9, 'return 42');
    const read = async (path: string) => (await plant.tags.get({ paths: [path] }))[0];
    expect(await read('Outside.L2.Value')).toMatchObject({ value: 42 });
    expect(await read('Outside.L1.Value')).toMatchObject({ value: null });
    await plant.tag('Outside.Calculated.Value', 'calculation', 'Int', { expression: "tag('Outside.L2.Value')" });
    expect(await read('Outside.Calculated.Value')).toMatchObject({ value: 42 });
    await plant.settings.update({ 'limits.nesting': 0 });
    const reason = expect.stringContaining('more than 0 deep (setting limits.nesting): Outside.L9.Value');
    expect(await read('Outside.L9.Value')).toMatchObject({ value: null, quality: 'BadInternalError', reason });
    await plant.settings.update({ 'limits.nesting': 8 });
  });

  test('in a cycle is an error that names the cycle, for reads and writes', async () => {
    await plant.scriptTag('Circle.A.Value', { read: get('Circle.B.Value'), write: 'TagValueManager.Get([tagName])' });
    await plant.scriptTag('Circle.B.Value', { read: get('Circle.A.Value') });
    const report = await plant.run(get('Circle.A.Value'));
    expect(depths(report).map(({ tag }) => tag)).toEqual(['Circle.A.Value', 'Circle.B.Value']);
    expect(depths(report)[1]?.reads).toMatchObject([
      {
        quality: 'BadConfigurationError',
        reason: expect.stringContaining('Circle.A.Value → Circle.B.Value → Circle.A.Value'),
      },
    ]);
    await plant.scriptTag('Circle.X.Value', { write: write('Circle.Y.Value') });
    await plant.scriptTag('Circle.Y.Value', { write: write('Circle.X.Value') });
    const refused = await plant.run(`TagValueManager.Set([{ tag: 'Circle.X.Value', value: 1 }])`);
    const cycle = 'Circle.X.Value (write) → Circle.Y.Value (write) → Circle.X.Value (write)';
    expect(depths(refused).at(-1)?.error?.message).toContain(cycle);
    const from = (path: string) => `from line 1 of the write script "Test/${path} write" of ${path}`;
    const reason = `tags read or write each other in a cycle: ${cycle}, ${from('Circle.Y.Value')}, ${from('Circle.X.Value')}`;
    expect(refused.error).toMatchObject({
      message: `Nothing was written: 1 of 1 item rejected: "Circle.X.Value": ${reason}`,
      failures: [{ tag: 'Circle.X.Value', reason }],
    });
  });

  test('too deep for a write names the whole chain first', async () => {
    const tags = Array.from({ length: 9 }, (_, level) => `DeepWriting.Groups.Of.Long.Names.L${level + 1}.Value`);
    for (const [level, path] of tags.entries()) {
      await plant.scriptTag(path, { write: write(tags[level + 1] ?? 'Plant.A.Value') });
    }
    const { error } = await plant.run(`TagValueManager.Set([{ tag: '${tags[0]}', value: 1 }])`);
    const reason = `scripts of tags are nested more than 8 deep (setting limits.nesting): ${tags.map((path) => `${path} (write)`).join(' → ')}`;
    expect(error?.failures?.[0]?.reason.startsWith(reason)).toBe(true);
    expect(error?.message).toContain(`rejected: "${tags[0]}": ${reason}`);
  });

  test('shows the reason of the innermost tag first, once', async () => {
    await plant.scriptTag('Cause.Outer.Value', { write: write('Cause.Inner.Value') });
    await plant.scriptTag('Cause.Inner.Value', { write: `\n${write('Plant.A.Value')}` });
    const { error } = await plant.run(`TagValueManager.Set([{ tag: 'Cause.Outer.Value', value: 'x' }])`);
    expect(error?.failures?.[0]?.reason).toBe(
      '"Plant.A.Value": the text "x" cannot be converted to Int: use a whole number, ' +
        'from line 2 of the write script "Test/Cause.Inner.Value write" of Cause.Inner.Value, ' +
        'from line 1 of the write script "Test/Cause.Outer.Value write" of Cause.Outer.Value',
    );
  });

  test('in a cycle is bad at the outermost read, even if a script ignores that', async () => {
    await plant.scriptTag('Blind.A.Value', { read: `${get('Blind.B.Value')} + 1` });
    await plant.scriptTag('Blind.B.Value', { read: `${get('Blind.A.Value')} + 1` });
    const cycle = (path: string) => ({
      value: null,
      quality: 'BadConfigurationError',
      reason: expect.stringContaining(`in a cycle: ${path}`),
    });
    const viaA = cycle('Blind.A.Value → Blind.B.Value → Blind.A.Value');
    expect(await plant.tags.get({ paths: ['Blind.A.Value'] })).toMatchObject([viaA]);
    expect((await plant.run(get('Blind.A.Value'))).reads).toMatchObject([viaA]);
    // A tag that only uses the cycle decides itself, as with any other bad input.
    await plant.scriptTag('Blind.User.Value', { read: `${get('Blind.A.Value')} + 1` });
    const used = await plant.run(get('Blind.User.Value'));
    expect(used).toMatchObject({ result: 1, nested: [{ reads: [viaA] }] });
  });

  test('in a cycle through a write or a calculation is bad at the outermost read, too', async () => {
    await plant.scriptTag('Through.Read.Value', {
      read: `TagValueManager.Set([{ tag: 'Through.Written.Value', value: 1 }]); return 1`,
    });
    await plant.scriptTag('Through.Written.Value', { write: get('Through.Read.Value') });
    const [read] = await plant.tags.get({ paths: ['Through.Read.Value'] });
    expect(read).toMatchObject({ value: null, quality: 'BadConfigurationError' });
    expect(read?.reason).toContain('Through.Read.Value → Through.Written.Value (write) → Through.Read.Value');
    await plant.scriptTag('Through.Script.Value', { read: `${get('Through.Sum.Value')} + 1` });
    const expression = "quality('Through.Script.Value') === 'Good' ? 1 : tag('Plant.A.Value')";
    await plant.tag('Through.Sum.Value', 'calculation', 'Int', { expression });
    const both = ['Through.Sum.Value', 'Through.Script.Value'];
    for (const paths of [both, both.slice(0, 1), both.slice(1)]) {
      const values = await plant.tags.get({ paths });
      for (const value of values) expect(value).toMatchObject({ value: null, quality: 'BadConfigurationError' });
    }
  });

  test('is traced under its caller, with lines, values, console and error', async () => {
    await plant.scriptTag('Trace.Inner.Value', {
      write: `console.warn('inner', tagValue);
        TagValueManager.Set([{ tag: 'Plant.A.Value', value: tagValue }]);`,
    });
    await plant.scriptTag('Trace.Outer.Value', {
      write: `TagValueManager.Set([{ tag: 'Trace.Inner.Value', value: tagValue + 1 }]);\nreturn 'ignored'`,
      read: `throw new RangeError('not now')`,
    });
    const report = await plant.run(`TagValueManager.Get(['Plant.A.Value', 'Trace.Outer.Value']);
      TagValueManager.Set([{ tag: 'Trace.Outer.Value', value: 10 }]);`);
    expect(report.nested).toMatchObject([
      { parent: 2, call: 1, line: 1, access: 'read', status: 'error', error: { name: 'RangeError', line: 1 } },
      {
        parent: 3,
        call: 2,
        line: 2,
        access: 'write',
        tag: 'Trace.Outer.Value',
        status: 'ok',
        console: [],
        writes: [{ seq: 1, path: 'Trace.Inner.Value', before: null, value: 11 }],
        nested: [
          {
            parent: 1,
            line: 1,
            tag: 'Trace.Inner.Value',
            console: [{ level: 'warn', text: 'inner 11' }],
            writes: [{ path: 'Plant.A.Value', before: 1, value: 11, line: 2 }],
          },
        ],
      },
    ]);
    for (const run of report.nested ?? []) expect(run.at).toBeGreaterThanOrEqual(0);
  });

  test('is traced up to a limit for a Get of 300 script tags', async () => {
    await plant.script('Wide', 'return Number(tagName.split(".")[1])');
    const paths = Array.from({ length: 300 }, (_, index) => `Wide.${index}.Value`);
    for (const path of paths) await plant.tag(path, 'script', 'Int', { readScript: 'Test/Wide' });
    let busy = 0;
    const watching = setInterval(() => {
      busy = Math.max(busy, plant.hosts.status().busy);
    }, 5);
    const report = await plant.run(`const paths = ${JSON.stringify(paths)};
      let sum = 0;
      for (let i = 0; i < 4; i++) for (const { Value } of TagValueManager.Get(paths).Value) sum += Value;
      return sum;`);
    expect(report.result).toBe((4 * 300 * 299) / 2);
    expect(report.reads).toHaveLength(1_200);
    expect(report.nested).toHaveLength(1_000);
    expect(report.dropped).toMatchObject({ nested: 200 });
    clearInterval(watching);
    // The run itself, and below it the reserved place of the next level and the two shared ones.
    expect(busy).toBeLessThanOrEqual(1 + 1 + 2);
    expect(busy).toBeGreaterThan(1);
  });
});

describe('time', () => {
  test('of a nested run does not count as script time of the outer run', async () => {
    await plant.settings.update({ 'limits.scriptMs': 2_000 });
    await plant.scriptTag('Time.Busy.Value', {
      read: 'const until = Date.now() + 1000; while (Date.now() < until); return 1',
    });
    const report = await plant.run(
      `let n = 0; for (let i = 0; i < 3; i++) n += TagValueManager.Get(['Time.Busy.Value']).Value[0].Value; return n`,
    );
    expect(report).toMatchObject({ status: 'ok', result: 3 });
    expect(report.timing.scriptMs).toBeLessThan(2_000);
    expect(report.timing.totalMs).toBeGreaterThan(2_900);
    await plant.settings.update({ 'limits.scriptMs': 5_000 });
  });

  test('in total covers the tree: nothing continues after the outermost run has ended', async () => {
    await chainOf('Endless', 3, 'for (;;);');
    // Long enough to start all of them.
    await plant.settings.update({ 'limits.totalMs': 8_000, 'limits.scriptMs': 60_000 });
    const report = await plant.run(get('Endless.L1.Value'));
    expect(report).toMatchObject({ status: 'timeout', error: { message: expect.stringContaining('limits.totalMs') } });
    expect(depths(report).map(({ tag }) => tag)).toEqual(['Endless.L1.Value', 'Endless.L2.Value', 'Endless.L3.Value']);
    await plant.settings.update({ 'limits.totalMs': 120_000, 'limits.scriptMs': 5_000 });
    await noRunIsLeft();
  });

  test('of a nested run over its limit gives a bad element; the outer run continues', async () => {
    await plant.settings.update({ 'limits.scriptMs': 1_000 });
    const report = await plant.run(
      `const [{ Quality }] = TagValueManager.Get(['Endless.L3.Value']).Value; return Quality`,
    );
    expect(report).toMatchObject({ status: 'ok', result: 'BadTimeout' });
    await plant.settings.update({ 'limits.scriptMs': 5_000 });
  });
});

describe('a cancel', () => {
  test('ends the whole tree at once', async () => {
    const stop = new AbortController();
    const running = plant.run(get('Endless.L1.Value'), { signal: stop.signal });
    await expect.poll(() => plant.hosts.status().busy, { interval: 5 }).toBe(4);
    await wait(100);
    stop.abort();
    const report = await running;
    expect(report.status).toBe('cancelled');
    expect(depths(report).map(({ status }) => status)).toEqual(['cancelled', 'cancelled', 'cancelled']);
    await noRunIsLeft();
  });

  test('during a Set writes nothing, even if its write script then ends', async () => {
    await plant.scriptTag('Cancel.Slow.Value', {
      write: `TagValueManager.Set([{ tag: 'Plant.A.Value', value: 500 }]);
        const until = Date.now() + 300; while (Date.now() < until);`,
    });
    const before = await plant.tags.get({ paths: ['Plant.A.Value'] });
    for (const after of [100, 200, 290, 300, 310]) {
      const stop = new AbortController();
      const running = plant.run(`TagValueManager.Set([{ tag: 'Cancel.Slow.Value', value: 1 }]); for (;;);`, {
        signal: stop.signal,
      });
      await wait(after);
      stop.abort();
      const report = await running;
      expect(report.status).toBe('cancelled');
      // Either the Set ended before the cancel and reports that, or nothing of it was stored.
      const kept = await plant.tags.get({ paths: ['Plant.A.Value'] });
      expect(kept[0]?.value).toBe(report.writes.length === 0 ? before[0]?.value : 500);
      await plant.tags.set({ items: [{ tag: 'Plant.A.Value', value: before[0]?.value ?? null }] });
    }
    await noRunIsLeft();
  });
});

describe('under load', () => {
  test('many runs 8 levels deep all end, including failures, cancels and timeouts', async () => {
    await chainOf('Load', 8, get('Plant.A.Value'));
    await chainOf('LoadThrows', 6, 'throw new Error("leaf")');
    await chainOf('LoadWide', 3, get('Plant.A.Value'));
    await plant.scriptTag('LoadFan.Root.Value', { read: `return TagValueManager.Get(${JSON.stringify(FAN)}).Success` });
    await plant.settings.update({ 'limits.scriptMs': scaled(1_000, 2_500) });
    const most = { hosts: 0 };
    const watching = setInterval(() => {
      const { idle, busy, starting } = plant.hosts.status();
      most.hosts = Math.max(most.hosts, idle + busy + starting);
    }, 5);
    const [expected] = await plant.tags.get({ paths: ['Plant.A.Value'] });
    const outcomes = await Promise.all(
      Array.from({ length: scaled(25, 50) }, async (_, index) => {
        switch (index % 5) {
          case 0:
            return ['nested', (await plant.run(get('Load.L1.Value'))).result === expected?.value];
          case 1: {
            const { nested = [] } = await plant.run(get('LoadThrows.L1.Value'));
            return ['throws', nested.length === 1];
          }
          case 2: {
            const stop = new AbortController();
            setTimeout(() => stop.abort(), 20 * index);
            const { status } = await plant.run(get('Load.L1.Value'), { signal: stop.signal });
            return ['cancel', status === 'cancelled' || status === 'ok'];
          }
          case 3:
            return ['fan', (await plant.run(get('LoadFan.Root.Value'))).result === true];
          default: {
            const { result } = await plant.run(`return TagValueManager.Get(['Endless.L2.Value']).Value[0].Quality`);
            // The innermost run timed out; the run around it returned null.
            return ['timeout', result === 'Good'];
          }
        }
      }),
    );
    clearInterval(watching);
    expect(outcomes.filter(([, fine]) => !fine)).toEqual([]);
    // Two at the top, one for each of the eight levels below, two shared, and replacements for killed ones.
    expect(most.hosts).toBeLessThanOrEqual(2 + 8 + 2 + 2);
    await noRunIsLeft();
    await plant.settings.update({ 'limits.scriptMs': 5_000 });
    expect(plant.logged).toEqual([]);
  }, 600_000);
});
