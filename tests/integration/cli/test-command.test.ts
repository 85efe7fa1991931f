import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { commandLine } from '../../support/product/command-line.ts';
import { builtProduct } from '../../support/product/product.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

beforeAll(builtProduct, 180_000);

/** A folder as in a Git repository: one script, one tag, two tests, one of them failing. */
function library(): string {
  const folder = join(temporaryFolder(), 'plant');
  const write = (name: string, value: unknown) =>
    writeFileSync(join(folder, name), typeof value === 'string' ? value : JSON.stringify(value));
  mkdirSync(join(folder, 'scripts', 'Line'), { recursive: true });
  write('tagwright.json', { format: 1 });
  const file = 'scripts/Line/Twice.js';
  write('scripts.json', { groups: [], scripts: [{ group: 'Line', name: 'Twice', description: '', file }] });
  write(file, `console.log('<at work>');\nreturn TagValueManager.Get(['A.B.C']).Value[0].Value * 2;`);
  const tag = { path: 'A.B.C', kind: 'storage', type: 'Int', description: '', unit: '', settings: {} };
  write('tags.json', [tag]);
  write('scripts/Line/Twice.tests.json', [
    { name: 'doubles & so on', tags: [{ tag: 'A.B.C', value: 21 }], expect: { result: 42 } },
    { name: 'wrong', tags: [{ tag: 'A.B.C', value: 1 }], expect: { result: 3 } },
  ]);
  return folder;
}

describe('tagwright test', () => {
  test('runs the tests of a folder, shows differences, and writes JUnit', async () => {
    const folder = library();
    const report = join(folder, '..', 'report.xml');
    const temporary = temporaryFolder();
    vi.stubEnv('TMPDIR', temporary);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { code, out } = await commandLine(['test', folder, '--junit', report]);
    expect(code).toBe(1);
    expect(out.replaceAll(/\d+ ms/g, 'N ms')).toBe(
      [
        'Line/Twice',
        '  ✓ doubles & so on  N ms',
        '  ✗ wrong  N ms',
        '      result: expected 3, got 2',
        '      log    <at work>',
        '',
        '1 test passed, 1 failed',
        '',
      ].join('\n'),
    );
    const difference = 'result: expected 3, got 2';
    const counts = 'tests="2" failures="1" errors="0" skipped="0"';
    expect(readFileSync(report, 'utf8').replaceAll(/time="[\d.]+"/g, 'time="N"')).toBe(
      [
        '<?xml version="1.0" encoding="UTF-8"?>',
        `<testsuites ${counts}>`,
        `  <testsuite name="Line/Twice" ${counts}>`,
        '    <testcase classname="Line/Twice" name="doubles &amp; so on" time="N">',
        '      <system-out>log: &lt;at work&gt;</system-out>',
        '    </testcase>',
        '    <testcase classname="Line/Twice" name="wrong" time="N">',
        `      <failure message="${difference}" type="result">${difference}</failure>`,
        '      <system-out>log: &lt;at work&gt;</system-out>',
        '    </testcase>',
        '  </testsuite>',
        '</testsuites>',
        '',
      ].join('\n'),
    );
    // The workspace of the tests has been removed.
    expect(readdirSync(temporary)).toEqual([]);
  });

  test('--filter and --json: success exits with 0, and stdout has only the JSON', async () => {
    const { code, out } = await commandLine(['test', library(), '--filter', 'Twice: doubles', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject([
      { script: 'Line/Twice', name: 'doubles & so on', outcome: { passed: true, report: { result: 42 } } },
    ]);
  });

  test('--coverage lists the lines that did not run, --coverage-lcov writes a file', async () => {
    const folder = library();
    const body = 'if (tagValue > 9) {\n  return 9;\n}\nreturn tagValue;\n';
    writeFileSync(join(folder, 'scripts/Line/Twice.js'), body);
    const [small, large] = [5, 7].map((tagValue) => ({ name: `t${tagValue}`, context: { tagValue } }));
    writeFileSync(join(folder, 'scripts/Line/Twice.tests.json'), JSON.stringify([small, large]));
    const lcov = join(folder, 'reports', 'coverage.lcov');
    const { code, out } = await commandLine([
      'test',
      folder,
      '--filter',
      'Twice',
      '--coverage',
      '--coverage-lcov',
      lcov,
    ]);
    expect(code).toBe(0);
    expect(out).toContain('Coverage of the scripts with tests\n   66%  Line/Twice  2 of 3 lines; not run: 2\n');
    const file = join(folder, 'scripts', 'Line', 'Twice.js');
    expect(readFileSync(lcov, 'utf8')).toBe(`TN:\nSF:${file}\nDA:1,2\nDA:2,0\nDA:4,2\nLF:3\nLH:2\nend_of_record\n`);
    const json = await commandLine(['test', folder, '--filter', 'Twice', '--coverage', '--json']);
    expect(JSON.parse(json.out)).toMatchObject([{ outcome: { coverage: { lines: [1, 2, 4], executed: '101' } } }, {}]);
    expect((await commandLine(['test', folder, '--filter', 'Twice', '--json'])).out).not.toContain('coverage');
  });

  test('the tests of the sample pass, in a workspace and as a folder', async () => {
    const workspace = join(temporaryFolder(), 'workspace');
    const inside = await commandLine(['test', '-w', workspace]);
    expect(inside.out).toMatch(/\n\d tests passed\n$/);
    const folder = join(workspace, 'text');
    expect((await commandLine(['export', folder, '-w', workspace])).code).toBe(0);
    expect(existsSync(join(folder, 'scripts', 'Line 1', 'Start an order.tests.json'))).toBe(true);
    const outside = await commandLine(['test', folder]);
    expect(outside.out.split('\n').at(-2)).toBe(inside.out.split('\n').at(-2));
    expect(outside.code).toBe(0);
  });

  test('a report creates its folder; if it cannot be written, results are shown', async () => {
    const folder = library();
    const report = join(folder, 'reports', 'today', 'junit.xml');
    expect(await commandLine(['test', folder, '--junit', report])).toMatchObject({ err: '' });
    expect(readFileSync(report, 'utf8')).toContain('<testsuite ');
    const nowhere = await commandLine(['test', folder, '--json', '--junit', join(report, 'below-a-file.xml')]);
    expect(nowhere).toMatchObject({ code: 2 });
    expect(nowhere.err).toContain('below-a-file.xml');
    expect(JSON.parse(nowhere.out).length).toBeGreaterThan(0);
  });

  test('an invalid file and a filter without matches report what to do', async () => {
    const folder = library();
    const none = await commandLine(['test', folder, '--filter', 'nothing like it']);
    expect(none).toMatchObject({ code: 2 });
    expect(none.err).toContain('No test matches "nothing like it"');
    writeFileSync(join(folder, 'scripts/Line/Twice.tests.json'), '[{"name": "x", "expects": {}}]');
    const wrong = await commandLine(['test', folder]);
    expect(wrong).toMatchObject({ code: 2, out: '' });
    expect(wrong.err).toMatch(/Twice\.tests\.json.*expects/s);
  });
});
