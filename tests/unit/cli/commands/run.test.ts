import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { RunReport } from '#domain/run/run';
import type { FakeServices } from '../../../contract/fake-services.ts';
import { reportOf } from '../../../contract/fake-runs.ts';
import { fakeServices } from '../../../contract/fake-services.ts';
import { runCommand } from '../run-command.ts';
import { sharedFolder } from '../../../support/temp-folder.ts';

const folder = sharedFolder();
function scriptFile(body: string): string {
  const file = join(folder, `${Math.random()}.js`);
  writeFileSync(file, body);
  return file;
}

/** Services whose runs end with the given report, and their recorded calls. */
function reporting(report: Partial<RunReport>) {
  const services = fakeServices();
  const execute = vi.fn<FakeServices['runs']['execute']>(async () => ({ ...reportOf(null), ...report }));
  services.runs.execute = execute;
  return { services, execute };
}

test('a file runs with the context of the options; --json prints only the report', async () => {
  const { services, execute } = reporting({ result: { level: 7 } });
  const file = scriptFile('\ufeffreturn tagValue');
  const options = ['--tag-name', 'A.B.C', '--diagram', 'Overview', '--location', 'L1', '--tag-value', '{"a":[1]}'];
  const { code, out, err } = await runCommand(['run', file, ...options, '--dry-run', '--json'], { services });
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(JSON.parse(out)).toEqual({ ...reportOf({ level: 7 }) });
  expect(out.endsWith('\n')).toBe(true);
  const context = { tagName: 'A.B.C', tagScopeDiagram: 'Overview', tagScopeLocation: 'L1', tagValue: { a: [1] } };
  expect(execute).toHaveBeenCalledWith({ body: 'return tagValue', context, dryRun: true }, expect.any(AbortSignal));
});

test('standard input and saved scripts run too, without a tag value by default', async () => {
  const { services, execute } = reporting({});
  await services.scripts.save({ group: 'Line', name: 'Fill', description: '', body: 'return "saved"' });
  await runCommand(['run', '-'], { services, stdin: Buffer.from('return "piped"') });
  await runCommand(['run', '--script', 'Line/Fill'], { services });
  const context = { tagName: '', tagScopeDiagram: null, tagScopeLocation: null };
  expect(execute).toHaveBeenNthCalledWith(1, { body: 'return "piped"', context, dryRun: false }, expect.anything());
  expect(execute).toHaveBeenNthCalledWith(
    2,
    { body: 'return "saved"', context, dryRun: false, script: { name: 'Line/Fill', version: 1 } },
    expect.anything(),
  );
});

test.each([['run'], ['failures'], ['lens'], ['debug']])(
  '"tagwright %s" says that a capsule is not a script',
  async (command) => {
    const file = scriptFile('{\n  "format": "tagwright-capsule",\n  "version": 1\n}');
    const { services, execute } = reporting({});
    const { code, err } = await runCommand([command, file], { services });
    expect(code).toBe(2);
    expect(err).toContain(`"${file}" is a capsule, not the body of a script. Use "tagwright replay"`);
    expect(execute).not.toHaveBeenCalled();
  },
);

test.each(['error', 'timeout', 'memory', 'crashed', 'cancelled'] as const)('status %s exits with 1', async (status) => {
  const { services } = reporting({ status });
  const { code, out } = await runCommand(['run', scriptFile('x'), '--json'], { services });
  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject({ status });
});

test('the readable report has the status first, columns, and dropped entries', async () => {
  const at = { seq: 1, call: 1, at: 1, line: 2, diagram: '', location: '' };
  const { services } = reporting({
    result: { ok: true },
    dryRun: true,
    console: [{ level: 'warn', text: 'one\ntwo\u001b[31m', at: 1 }],
    reads: [
      { ...at, path: 'Plant.A.Value', value: 1.5, quality: 'Good', type: 'Double' },
      {
        ...at,
        path: 'Plant.Longer.Value',
        value: 'x',
        quality: 'BadTimeout',
        type: 'String',
        diagram: 'D',
        location: 'L',
      },
    ],
    writes: [
      { ...at, path: 'Plant.B.Value', before: null, value: false, type: 'Boolean' },
      { ...at, path: 'Plant.Db.Value', before: null, notRead: true, value: 1, type: 'Int' },
    ],
    rejected: [{ ...at, line: 3, access: 'write', path: 'Plant.C.Value', value: 'x', reason: 'it is read-only' }],
    dropped: { console: 3, reads: 1_000, writes: 0 },
  });
  const { out } = await runCommand(['run', scriptFile('return 1')], { services });
  expect(out).toBe(`ok  in 1 ms  (script 1 ms, host calls 0 ms)  dry run: nothing was saved

result
  {
    "ok": true
  }

console
  3 earlier entries dropped
  warn   one
         two\\u{1b}[31m

reads (1,002)
  line 2  Plant.A.Value       1.5  Double  Good
  line 2  Plant.Longer.Value  "x"  String  BadTimeout  [D / L]
  and 1,000 more

writes (2)
  line 2  Plant.B.Value   null -> false  Boolean
  line 2  Plant.Db.Value  not read -> 1  Int

rejected (1)
  line 3  write  Plant.C.Value  "x"  it is read-only
`);
});

test('entries of tag scripts are shown below the tag, indented by one level', async () => {
  const at = { seq: 1, call: 1, at: 0, line: 2, diagram: '', location: '' };
  const run = {
    parent: 1,
    call: 1,
    line: 2,
    at: 0,
    through: [],
    status: 'ok' as const,
    error: null,
    console: [],
    reads: [],
    writes: [],
    apiCalls: [],
    timing: { startedAt: '', queuedMs: 0, scriptMs: 1, hostCallMs: 0, totalMs: 1 },
    dropped: { console: 0, reads: 0, writes: 0 },
  };
  const error = { name: 'Error', message: 'no water', line: 3, column: 1, stack: [] };
  const inner = { ...run, tag: 'Plant.In.Value', access: 'read' as const, status: 'error' as const, error };
  const read = {
    ...at,
    path: 'Plant.In.Value',
    value: null,
    type: 'Int' as const,
    quality: 'BadInternalError' as const,
  };
  const { services } = reporting({
    writes: [{ ...at, path: 'Plant.Out.Value', before: null, value: 1, type: 'Int' }],
    nested: [
      {
        ...run,
        tag: 'Plant.Out.Value',
        access: 'write',
        console: [{ level: 'warn', text: 'low', at: 0 }],
        reads: [{ ...read, reason: 'its read script failed' }],
        writes: [{ ...at, seq: 2, path: 'Plant.Kept.Value', before: 1, value: 2, type: 'Int' }],
        nested: [inner],
      },
    ],
  });
  const { out } = await runCommand(['run', scriptFile('return 1')], { services });
  expect(out).toContain(`
scripts of tags
  write script of Plant.Out.Value  ok in 1 ms  [warn: low]
    line 2  read Plant.In.Value  null  BadInternalError  its read script failed
    read script of Plant.In.Value  error in 1 ms  line 3: no water
    line 2  write Plant.Kept.Value  1 -> 2
`);
});

test('an error is shown at its line, with a caret under its column, and its callers', async () => {
  const body = 'function fill() {\n\tlet x = nothing.level;\n}\nreturn fill();';
  const frames = [
    { function: 'fill', line: 2, column: 10 },
    { function: null, line: 4, column: 8 },
  ];
  const error = { name: 'ReferenceError', message: 'nothing is not defined', line: 2, column: 10, stack: frames };
  const { services } = reporting({ status: 'error', error });
  const file = scriptFile(body);
  const { out } = await runCommand(['run', file], { services });
  expect(out).toBe(`error  in 1 ms  (script 1 ms, host calls 0 ms)

ReferenceError: nothing is not defined
  at ${file}:2:10
  2 | \tlet x = nothing.level;
    | \t        ^
  in the body at ${file}:4:8
`);
});

test('a caret stays visible for a line of a megabyte', async () => {
  const body = `${'x'.repeat(500_000)}!${'y'.repeat(500_000)}`;
  const error = { name: 'SyntaxError', message: 'Unexpected', line: 1, column: 500_001, stack: [] };
  const { services } = reporting({ status: 'error', error });
  const { out } = await runCommand(['run', scriptFile(body)], { services });
  const [text = '', caret = ''] = out.split('\n').slice(4);
  expect(text.length).toBeLessThan(200);
  expect(text[caret.indexOf('^')]).toBe('!');
});

test('Ctrl+C cancels the run and prints its report', async () => {
  const services = fakeServices();
  const { code, out, err } = await runCommand(['run', scriptFile('wait'), '--json'], {
    services,
    onListen: (interrupt) => void vi.waitFor(() => expect(services.running).toBe(1)).then(interrupt),
  });
  expect(JSON.parse(out)).toMatchObject({ status: 'cancelled' });
  expect({ code, err }).toEqual({ code: 1, err: 'Cancelling the run…\n' });
});
