import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandLine } from '../../support/product/command-line.ts';
import { fc } from '../../support/run/random.ts';
import { scaled } from '../../support/run/scale.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';
import { NUMBER, STATE, readCapsule, EQUAL, capsules } from './recorded-runs.ts';

const ERP = 'Bottling.Erp.GoodsMovement.Record';

const { workspace, fileOf, record, recordFile, replay, repeated } = capsules();

describe('a replay of the same body', () => {
  test.each([
    [
      'clock and random numbers',
      'return [Date.now(), new Date().toLocaleString(), Math.random(), crypto.randomUUID(), Date()]',
    ],
    [
      'reads, writes and reads after writes',
      `
      const before = TagValueManager.Get(['${NUMBER}', '${STATE}', 'No.Such.Tag']);
      TagValueManager.Set([{ tag: '${NUMBER}', value: 7 }]);
      console.log(before, new Date());
      return [before, TagValueManager.Get(['${NUMBER}'])]`,
    ],
    [
      'a rejected Set that the script catches',
      `
      try { TagValueManager.Set([{ tag: '${NUMBER}', value: 'x' }, { tag: 'No.Such.Tag', value: 1 }]) }
      catch (thrown) { console.error(thrown); return [thrown.message, thrown.failures] }`,
    ],
    ['invalid arguments', "try { TagValueManager.Get('a') } catch (thrown) { return thrown.message }"],
    ['an error', "console.log(1);\nthrow new RangeError('no')"],
    ['a syntax error', 'return ('],
    [
      'scopes',
      `TagValueManager.Set([{ tag: '${NUMBER}', value: 8 }], 'D', 'L');
      return ['', 'L', 'M'].map((place) => TagValueManager.Get(['${NUMBER}'], 'D', place))`,
    ],
    [
      'a script that loops over the clock',
      'const end = Date.now() + 30; let n = 0; while (Date.now() < end) n += 1; return n',
    ],
    ['an API call without a mock', "return ApiValueManager.Fetch('https://nowhere.test/x?token=abcdef', 'get')"],
    ['CRLF and no last line', 'const a = 1;\r\nreturn `${a}\r\n`'],
  ])('is equal: %s', async (_, body) => {
    expect(await repeated(await record(body, '--dry-run'))).toEqual(EQUAL);
  });

  test('is equal for every script of the sample, with its context', async () => {
    const listed = await commandLine(['scripts', 'list', '--json', '-w', workspace]);
    const { scripts }: { scripts: { group: string; name: string }[] } = JSON.parse(listed.out);
    expect(scripts.length).toBeGreaterThan(5);
    for (const { group, name } of scripts) {
      const recorded = await recordFile(
        ['--script', `${group}/${name}`],
        '--dry-run',
        '--tag-value',
        '{"number": 4720}',
      );
      expect(recorded.capsule.script).toMatchObject({ name: `${group}/${name}`, version: 1 });
      expect(await repeated(recorded)).toEqual(EQUAL);
    }
  });

  test('is equal for nested scripts, whose writes it repeats without running them', async () => {
    const listed = await commandLine(['tags', 'list', '--json', '-w', workspace]);
    const all: { path: string; kind: string }[] = JSON.parse(listed.out).tags ?? JSON.parse(listed.out);
    const paths = all.filter(({ kind }) => kind !== 'erp').map(({ path }) => path);
    const scripted = all.filter(({ kind }) => kind === 'script').map(({ path }) => path);
    expect(scripted.length).toBeGreaterThan(0);
    const recorded = await record(`return TagValueManager.Get(${JSON.stringify(paths)})`, '--dry-run');
    expect(recorded.report.nested?.length).toBeGreaterThan(0);
    expect(await repeated(recorded)).toEqual(EQUAL);
  });

  test('is equal for a run that wrote to the plant, and writes nothing itself', async () => {
    const body = `TagValueManager.Set([{ tag: '${NUMBER}', value: Math.floor(Math.random() * 1e6) }]); return 1`;
    const recorded = await record(body);
    const value = async () =>
      JSON.parse((await commandLine(['tags', 'get', NUMBER, '--json', '-w', workspace])).out)[0].value;
    const written = await value();
    await commandLine(['tags', 'set', `${NUMBER}=1`, '-w', workspace]);
    expect(await repeated(recorded)).toEqual(EQUAL);
    expect(recorded.report.writes[0]?.value).toBe(written);
    expect(await value()).toBe(1);
  });

  test('ends an endless script at the recorded limit', async () => {
    const plant = join(temporaryFolder(), 'plant');
    await commandLine(['settings', 'set', 'limits.scriptMs=200', '-w', plant]);
    const file = join(plant, 'endless.json');
    const body = fileOf("console.log('on');\nfor (;;) Date.now()");
    const ran = await commandLine(['run', body, '-w', plant, '--dry-run', '--capsule', file]);
    expect([ran.code, readCapsule(file)]).toMatchObject([
      1,
      { limits: { scriptMs: 200 }, report: { status: 'timeout' } },
    ]);
    expect(await replay(file)).toMatchObject({ code: 1, report: { status: 'timeout' }, comparison: { equal: true } });
  });

  test('survives a script that ends its host', async () => {
    const { file } = await record('return 1', '--dry-run');
    const { code, report } = await replay(file, '"x".repeat(2**29-24).split("")');
    expect([code, ['crashed', 'memory'].includes(report.status)]).toEqual([1, true]);
  });

  test('random programs are equal', async () => {
    const statement = fc.oneof(
      fc.constantFrom(
        'seen.push(Math.random())',
        'seen.push(Date.now())',
        'console.log(new Date().toISOString(), seen.length)',
        'seen.push(crypto.randomUUID())',
        'if (Math.random() < 0.5) seen.push(String(new Date()))',
        `seen.push(TagValueManager.Get(['${STATE}', '${NUMBER}']))`,
        "try { TagValueManager.Set([{ tag: 'No.Such.Tag', value: 1 }]) } catch (thrown) { seen.push(thrown.message) }",
        'seen.push(Temporal.Now.instant().toString())',
        "seen.push(ApiValueManager.Fetch('https://nowhere.test/', 'get'))",
        'if (seen.length > 6) throw new Error(String(Math.random()))',
      ),
      fc.integer({ min: 0, max: 9 }).map((value) => `TagValueManager.Set([{ tag: '${NUMBER}', value: ${value} }])`),
      fc
        .integer({ min: 1, max: 4 })
        .map(
          (count) =>
            `for (let n = 0; n < ${count}; n += 1) seen.push(TagValueManager.Get(['${NUMBER}']).Value[0].Value)`,
        ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(statement, { minLength: 1, maxLength: 12 }), async (statements) => {
        expect(
          await repeated(await record(`const seen = [];\n${statements.join(';\n')};\nreturn seen`, '--dry-run')),
        ).toEqual(EQUAL);
      }),
      { numRuns: scaled(8, 100) },
    );
  });
});

describe('a replay of an edited body', () => {
  const BODY = `const [order, state] = TagValueManager.Get(['${NUMBER}', '${STATE}']).Value;
TagValueManager.Set([{ tag: '${NUMBER}', value: 41 }]);
const after = TagValueManager.Get(['${NUMBER}']).Value[0].Value;
console.log('order', after);
return { state: state.Value, after };`;

  test('shows the differences of result, writes, calls and console', async () => {
    const { file } = await record(BODY, '--dry-run');
    const edited = BODY.replace('value: 41', 'value: 42').replace("'order'", "'the order'");
    const again = await replay(file, edited);
    expect(again).toMatchObject({
      code: 0,
      edited: true,
      missing: null,
      assumed: [{ tag: NUMBER, value: 42, line: 2 }],
      report: { status: 'ok', result: { after: 42 } },
    });
    expect(again.comparison.result).toEqual([{ place: 'result.after', before: '41', after: '42' }]);
    expect(again.comparison.writes.map(({ mark, text }) => mark + text)).toEqual([
      `-write ${NUMBER} = 41`,
      `+write ${NUMBER} = 42`,
    ]);
    expect(again.comparison.console.map(({ mark, text }) => mark + text)).toEqual([
      '-log: order 41',
      '+log: the order 42',
    ]);
    const shown = await commandLine(['replay', file, '--script', fileOf(edited)]);
    expect(shown.out).toContain('Differences from the run recorded at');
    expect(shown.out).toContain(`  - write ${NUMBER} = 41  (line 2)\n  + write ${NUMBER} = 42  (line 2)\n`);
    expect(shown.out).toContain('result.after\n    - 41\n    + 42\n');
  });

  test('finds readings by tag, scope and writes before, whatever the order of the calls', async () => {
    const { file } = await record(BODY, '--dry-run');
    const { capsule } = { capsule: readCapsule(file) };
    const [first] = capsule.calls;
    const before = first?.kind === 'get' ? first.values?.[0]?.value : undefined;
    const again = await replay(
      file,
      `const state = TagValueManager.Get(['${STATE}']).Value[0].Value;
       const before = TagValueManager.Get(['${NUMBER}']).Value[0].Value;
       TagValueManager.Set([{ tag: '${NUMBER}', value: 41 }]);
       return [before, TagValueManager.Get(['${NUMBER}']).Value[0].Value]`,
    );
    expect(again).toMatchObject({ missing: null, assumed: [], report: { result: [before, 41] } });
    const without = await replay(
      file,
      `TagValueManager.Set([{ tag: '${NUMBER}', value: 41 }]);\nreturn TagValueManager.Get(['${NUMBER}']).Value[0].Value`,
    );
    expect(without.report.result).toBe(41);
  });

  test.each([
    ['a tag that was not read', `\nreturn TagValueManager.Get(['Bottling.Line1.Filler.Statex.Value'])`, 2, STATE],
    ['a tag in another scope', `return TagValueManager.Get(['${STATE}'], 'Other')`, 1, STATE],
    ['a tag that was read less often', `for (let n = 0; n < 2; n += 1)\n  TagValueManager.Get(['${STATE}'])`, 2, STATE],
    [
      'a write of an unknown tag',
      `\n\nTagValueManager.Set([{ tag: 'Bottling.Line1.Shift.Target.Value', value: 1 }])`,
      3,
      NUMBER,
    ],
    ['an API call', "\nreturn ApiValueManager.Fetch('https://nowhere.test/', 'get')", 2, null],
  ])('%s is an error with its line and the nearest calls', async (_, body, line, nearest) => {
    const { file } = await record(BODY, '--dry-run');
    const { code, report, missing } = await replay(file, `${body}; // the script goes on`);
    expect([code, report.status, report.error?.name, report.error?.line, missing?.line]).toEqual([
      1,
      'error',
      'NotInCapsule',
      line,
      line,
    ]);
    if (nearest === null) expect(missing?.nearest).toEqual([]);
    else expect(missing?.nearest[0]?.text).toContain(nearest);
  });

  test('another value is converted or rejected like that of a real Set', async () => {
    const { file } = await record(`TagValueManager.Get(['${ERP}']);\n${BODY}`, '--dry-run');
    const set = (tag: string, value: string) =>
      `try {
  TagValueManager.Set([{ tag: '${tag}', value: ${value} }]);
  return TagValueManager.Get(['${tag}']).Value[0].Value;
} catch (thrown) { return thrown.failures.map(({ reason }) => reason); }`;
    const reportOf = async (tag: string, value: string) => (await replay(file, set(tag, value))).report;
    expect(await reportOf(NUMBER, '"4711"')).toMatchObject({ result: 4711, writes: [{ value: 4711, type: 'Int' }] });
    const rejected = await reportOf(NUMBER, '"n/a"');
    expect(rejected).toMatchObject({ status: 'ok', writes: [] });
    expect(rejected.result).toEqual([expect.stringMatching(/^the text "n\/a" cannot be converted to Int: /)]);
    const text = await reportOf(ERP, '"n/a"');
    expect(text.result).toEqual(['an ERP tag takes one record (an object), not the text "n/a"']);
  });

  test('the nearest calls are printed, and the place in the script', async () => {
    const { file } = await record(BODY, '--dry-run');
    const edited = fileOf("\nTagValueManager.Get(['Bottling.Line1.Filler.Stat.Value'])");
    const { code, out } = await commandLine(['replay', file, '--script', edited]);
    expect(code).toBe(1);
    expect(out).toContain('NotInCapsule: Get "Bottling.Line1.Filler.Stat.Value" is not in the capsule: ');
    expect(out).toContain(`  at ${edited}:2:1\n`);
    expect(out).toContain(`\nnearest recorded calls\n  line 1  Get "${STATE}"\n`);
  });

  test('a script cannot catch the error and continue without the answer', async () => {
    const { file } = await record(BODY, '--dry-run');
    const caught = `try { TagValueManager.Get(['No.Such.Tag']) } catch {}\nTagValueManager.Set([{ tag: '${NUMBER}', value: 0 }]);`;
    const { report, missing } = await replay(file, caught);
    expect(missing?.call).toBe('Get "No.Such.Tag"');
    expect(report.writes).toEqual([]);
  });

  test('an endless or hostile body is ended', async () => {
    const { file, capsule } = await record('return Date.now()', '--dry-run');
    const limited = { ...capsule, limits: { ...capsule.limits, scriptMs: 200 } };
    const short = fileOf(JSON.stringify(limited), 'json');
    expect((await replay(short, 'for (;;) {}')).report.status).toBe('timeout');
    expect((await replay(short, 'const end = Date.now() + 1e6; while (Date.now() < end);')).report.status).toBe(
      'timeout',
    );
    const hostile = await replay(
      file,
      'return [typeof process, typeof require, typeof fetch, this.constructor.constructor("return typeof process")()]',
    );
    expect(hostile.report.result).toEqual(Array(4).fill('undefined'));
  });
});
