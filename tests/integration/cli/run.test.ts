import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { runReport } from '#contract/schemas';
import { commandLine } from '../../support/product/command-line.ts';
import { builtProduct, LAUNCHER, startTagwright, SYSTEM_NODE, tagwright } from '../../support/product/product.ts';
import { untilOneLoops } from '../../support/product/processes.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

beforeAll(builtProduct, 180_000);

const reportIn = (out: string) => runReport.parse(JSON.parse(out));

describe('tagwright run', () => {
  test('creates the workspace, runs a file and prints exactly one report', async () => {
    const folder = temporaryFolder();
    const workspace = join(folder, 'new', 'workspace');
    const file = join(folder, 'script.js');
    writeFileSync(file, 'console.log(tagName);\nreturn { value: tagValue, scope: tagScopeLocation };');
    const options = ['--tag-name', 'A.B.C', '--location', 'L1', '--tag-value', '[1]', '--workspace', workspace];
    const { code, out, err } = await tagwright(['run', file, ...options, '--json']);
    expect(reportIn(out)).toMatchObject({
      status: 'ok',
      result: { value: [1], scope: 'L1' },
      console: [{ level: 'log', text: 'A.B.C' }],
    });
    expect({ code, err }).toEqual({ code: 0, err: `Created the sample workspace in ${workspace}\n` });
    expect(existsSync(join(workspace, 'workspace.db'))).toBe(true);
    expect(existsSync(join(workspace, 'instance.json'))).toBe(false);
  });

  test('a record is checked with the schema of its tag, also in an existing workspace', async () => {
    const workspace = temporaryFolder();
    const file = join(workspace, 'stop.js');
    writeFileSync(
      file,
      `const stop = (reason) => TagValueManager.Set([{ tag: 'Bottling.Erp.DowntimeNotification.Record',
        value: { equipment: 'Filler', reason, startedAt: '2026-11-29T12:00:00Z' } }]);
      let problem = '';
      try { stop('Lunch'); } catch (error) { problem = error.message; }
      stop('Fault');
      return problem;`,
    );
    // The first command creates the tags; the second one loads nothing that it does not use.
    for (let count = 1; count <= 2; count += 1) {
      const { code, out } = await tagwright(['run', file, '--json', '-w', workspace]);
      expect([code, reportIn(out).result]).toEqual([0, expect.stringContaining('reason must be equal to one of')]);
      const outbox = await tagwright(['erp', 'list', '--json', '-w', workspace]);
      expect(outbox.out.match(/"reason":"Fault"/g)).toHaveLength(count);
    }
  });

  test('a saved context of a script is used by name; options replace its members', async () => {
    const workspace = temporaryFolder();
    const run = (...args: string[]) =>
      tagwright(['run', '--script', 'Line 1/Start an order', '--dry-run', '--json', '-w', workspace, ...args]);
    const { code, out } = await run('--context', 'order 4720');
    expect(code).toBe(0);
    expect(reportIn(out).result).toBe('Order 4720 is started: 96000 bottles of Still water 0.5 l.');
    const other = await run('--context', 'Order 4720', '--tag-value', '{"number":1,"product":"Cola","quantity":5}');
    expect(reportIn(other.out).result).toBe('Order 1 is started: 5 bottles of Cola.');
    const unknown = await run('--context', 'Order 1');
    expect(unknown.code).not.toBe(0);
    expect(unknown.err).toContain(
      'The script "Line 1/Start an order" has no context named "Order 1". Saved contexts: "Order 4720".',
    );
    const file = await commandLine(['run', '-', '--context', 'Order 4720', '-w', workspace], { stdin: 'return 1' });
    expect(file.err).toContain('use it with --script');
  });

  test('--values prints what variables became, and what did not run', async () => {
    const workspace = temporaryFolder();
    const stdin = 'let n = 0;\nfor (const x of [1, 2]) n += x;\nif (n > 5) n = 5; else n = 4;\nreturn n;';
    const text = await commandLine(['run', '-', '--dry-run', '--values', '-w', workspace], { stdin });
    expect(text.code).toBe(0);
    expect(text.out).toContain(
      'values (5)\n  line 1  n = 0\n  line 2  x = 1 … 2 ×2, n = 1 … 3 ×2\n  line 3  n = 4\n  line 4  return = 4\n\nnot run (1)\n  line 3  column 12  n = 5;\n',
    );
    const json = await commandLine(['run', '-', '--values', '--json', '-w', workspace], { stdin });
    expect(JSON.parse(json.out)).toMatchObject({
      status: 'ok',
      result: 4,
      dryRun: false,
      values: [
        { line: 1, name: 'n', first: '0', last: '0', count: 1 },
        {},
        {},
        { line: 3, last: '4' },
        { line: 4, name: 'return' },
      ],
      executed: 7,
      stopped: false,
    });
    const hot = await commandLine(['run', '-', '--values', '-w', workspace], { stdin: 'let n = 0;\nfor (;;) n++;' });
    expect(hot.code).toBe(1);
    expect(hot.out).toMatch(/stopped after 100,000 statements.*until the run was stopped after 100,001 statements/s);
    const both = await commandLine(['run', '-', '--values', '--capsule', 'x.json', '-w', workspace], { stdin });
    expect(both.err).toContain('Use either --values or --capsule, not both.');
  });

  test('an error is shown with its position and an exit code', async () => {
    const workspace = temporaryFolder();
    const { code, out } = await tagwright(['run', '-', '-w', workspace], {
      stdin: 'const a = 1;\nif (a) throw new TypeError("too hot");',
    });
    expect(code).toBe(1);
    expect(out).toMatch(/^error {2}in /);
    expect(out).toContain(
      'TypeError: too hot\n  at stdin:2:14\n  2 | if (a) throw new TypeError("too hot");\n    |              ^\n',
    );
  });

  test('a zero byte is kept in a string literal; elsewhere it is an error with its line', async () => {
    const workspace = temporaryFolder();
    const body = 'return "a\0b".length // \0';
    expect((await tagwright(['run', '-', '--json', '-w', workspace], { stdin: body })).out).toContain('"result":3');
    await commandLine(['scripts', 'save', 'Line/Zero', '-', '-w', workspace], { stdin: body });
    expect((await commandLine(['scripts', 'show', 'Line/Zero', '-w', workspace])).out).toBe(body);
    const { code, out } = await tagwright(['run', '-', '-w', workspace], { stdin: 'const a = 1;\nreturn \0a' });
    expect(code).toBe(1);
    expect(out).toMatch(/SyntaxError: .*\n +at stdin:2:8/);
  });

  test('a script that ignores everything is stopped by its limits; the command ends', async () => {
    const workspace = temporaryFolder();
    await commandLine(['settings', 'set', 'limits.scriptMs=200', '-w', workspace]);
    const { code, out } = await tagwright(['run', '-', '--json', '-w', workspace], { stdin: 'for (;;);' });
    expect([code, reportIn(out).status]).toEqual([1, 'timeout']);
  });

  test('Ctrl+C cancels the run, and its report is printed', async () => {
    const workspace = temporaryFolder();
    await commandLine(['settings', 'set', 'limits.scriptMs=600000', 'limits.totalMs=600000', '-w', workspace]);
    const command = startTagwright(['run', '-', '--json', '-w', workspace]);
    command.type('for (;;);');
    await untilOneLoops(command.pid);
    command.kill('SIGINT');
    const { code, out, err } = await command.ended;
    expect(reportIn(out)).toMatchObject({ status: 'cancelled' });
    expect(code).toBe(1);
    expect(err).toContain('Cancelling the run');
  });

  test('a dry run saves nothing', async () => {
    const workspace = temporaryFolder();
    const save = 'path,kind,type,description,unit,settings\nPlant.Store.Value,storage,Double,,,"{""initial"":1}"\n';
    await commandLine(['tags', 'import', '-', '--format', 'csv', '-w', workspace], { stdin: save });
    const stdin = 'TagValueManager.Set([{ tag: "Plant.Store.Value", value: 9 }]); return 1';
    const dry = await tagwright(['run', '-', '--dry-run', '--json', '-w', workspace], { stdin });
    expect(reportIn(dry.out)).toMatchObject({ status: 'ok', dryRun: true, writes: [{ path: 'Plant.Store.Value' }] });
    const values = z.array(z.object({ value: z.number().nullable() }));
    const get = async () => {
      const { out } = await commandLine(['tags', 'get', 'Plant.Store.Value', '--json', '-w', workspace]);
      return values.parse(JSON.parse(out))[0]?.value;
    };
    expect(await get()).not.toBe(9);
    await tagwright(['run', '-', '-w', workspace], { stdin });
    expect(await get()).toBe(9);
  });

  test('commands at the same time wait for each other', async () => {
    const workspace = temporaryFolder();
    const ended = await Promise.all(
      [1, 2, 3].map((one) => tagwright(['run', '-', '--json', '-w', workspace], { stdin: `return ${one}` })),
    );
    expect(ended.map(({ code, err }) => [code, err.replace(/Created.*\n/, '')])).toEqual([
      [0, ''],
      [0, ''],
      [0, ''],
    ]);
    expect(ended.map(({ out }) => reportIn(out).result)).toEqual([1, 2, 3]);
  });

  test('a reader that closes the pipe early causes no error', async () => {
    const workspace = temporaryFolder();
    await commandLine(['tags', 'list', '-w', workspace]);
    const script = `return "x".repeat(2_000_000)`;
    const shell = `printf '%s' '${script}' | "$NODE" "$LAUNCHER" run - --json -w "$WORKSPACE" | head -c 10; echo " \${PIPESTATUS[1]}"`;
    const child = spawn('bash', ['-c', shell], {
      env: { ...process.env, NODE: SYSTEM_NODE, LAUNCHER, WORKSPACE: workspace, TAGWRIGHT_NO_BUILD: '1' },
    });
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => void (said += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => void (said += chunk.toString()));
    await new Promise((resolve) => child.once('close', resolve));
    expect(said).toBe('{"status": 0\n');
  });

  test.skipIf(!existsSync('/dev/full'))('results that exceed the disk space: exit 7 with a message', async () => {
    const shell = `printf 'return 1' | "$NODE" "$LAUNCHER" run - --json -w "$WORKSPACE" > /dev/full`;
    const child = spawn('bash', ['-c', shell], {
      env: { ...process.env, NODE: SYSTEM_NODE, LAUNCHER, WORKSPACE: temporaryFolder(), TAGWRIGHT_NO_BUILD: '1' },
    });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => void (said += chunk.toString()));
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(7);
    expect(said).toMatch(/^Created .*\ntagwright: Standard output cannot be written: .*ENOSPC.*\n$/);
  });
});

const run = (workspace: string, options: { uid?: number } = {}) =>
  tagwright(['run', '-', '--json', '-w', workspace], { stdin: 'return 1', ...options });

describe('a workspace that cannot be used', () => {
  test('is damaged: exit 5, and the message names the file', async () => {
    const workspace = temporaryFolder();
    writeFileSync(join(workspace, 'workspace.db'), 'x'.repeat(10_000));
    const { code, out, err } = await run(workspace);
    expect({ code, out }).toEqual({ code: 5, out: '' });
    expect(err).toContain('workspace.db');
    expect(err).not.toMatch(/\n\s+at /);
  });

  test('is newer: exit 4, and it stays unchanged', async () => {
    const workspace = temporaryFolder();
    await run(workspace);
    const { default: Database } = await import('better-sqlite3');
    const database = new Database(join(workspace, 'workspace.db'));
    database.pragma('user_version = 9999');
    database.close();
    const { code, out, err } = await run(workspace);
    expect({ code, out }).toEqual({ code: 4, out: '' });
    expect(err).toMatch(/^tagwright: .*newer/);
  });

  test('is read-only: exit 6', async () => {
    const folder = temporaryFolder();
    const workspace = join(folder, 'shut');
    mkdirSync(workspace);
    chmodSync(folder, 0o755);
    chmodSync(workspace, 0o555);
    // Permissions do not apply to root, so another user tries it.
    const { code, out, err } = await run(workspace, process.getuid?.() === 0 ? { uid: 65_534 } : {});
    expect({ code, out }).toEqual({ code: 6, out: '' });
    expect(err).toContain(workspace);
  });

  test('is the path of a file: exit 2', async () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    expect((await run(file)).code).toBe(2);
  });
});
