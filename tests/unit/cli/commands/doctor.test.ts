import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fakeServices } from '../../../contract/fake-services.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';
import { runCommand } from '../run-command.ts';

const REPORT = `Tagwright 0.1.0, workspace /w

Ports
  PROBLEM      Events API    port 4860 is used by python3 server.py (pid 4711)
                             Fix: Stop that program.

Databases
  ok           workspace.db  whole, 2 MB

1 problem, 0 warnings, 2 checks
`;

describe('tagwright doctor', () => {
  test('prints the results; a problem exits with 1', async () => {
    expect(await runCommand(['doctor'])).toEqual({ code: 1, out: REPORT, err: '' });
  });

  test('exits with 0 for warnings', async () => {
    const services = fakeServices();
    const { diagnostics } = fakeServices();
    services.diagnostics.run = async function* warned(input, signal) {
      for await (const step of diagnostics.run(input, signal)) {
        const diagnosis = step.diagnosis && { ...step.diagnosis, state: 'warning' as const };
        yield { ...step, diagnosis };
      }
    };
    expect(await runCommand(['doctor'], { services })).toMatchObject({ code: 0 });
  });

  test('prints one JSON value with --json', async () => {
    const { code, out, err } = await runCommand(['doctor', '--json']);
    expect([code, err, out.split('\n').length]).toEqual([1, '', 2]);
    expect(JSON.parse(out)).toMatchObject({
      format: 1,
      state: 'problem',
      full: false,
      checks: [{ id: 'port.events', state: 'problem', fix: 'Stop that program.' }, { id: 'database.workspace' }],
    });
  });

  test('also writes a support file, and reports it', async () => {
    const file = join(temporaryFolder(), 'support.json');
    expect(await runCommand(['doctor', '--support', file])).toEqual({
      code: 1,
      out: REPORT,
      err: `Support file written to ${file}. Read it before you send it.\n`,
    });
    expect(readFileSync(file, 'utf8')).toBe('{}\n');
  });

  test('prints the results until Ctrl+C, and exits with 1', async () => {
    let interrupt = () => {};
    const services = fakeServices();
    const { diagnostics } = fakeServices();
    services.diagnostics.run = async function* slow(input, signal) {
      for await (const step of diagnostics.run(input, signal)) {
        if (step.checks.length > 0) setImmediate(interrupt);
        yield step;
      }
    };
    const ended = await runCommand(['doctor', '--full'], { services, onListen: (stop) => (interrupt = stop) });
    expect(ended).toMatchObject({ code: 1, err: 'tagwright: Cancelled after 1 check.\n' });
    expect(ended.out).toContain('PROBLEM      Events API');
  });

  test.each([
    [['doctor', '--support', '-'], 'A support file cannot go to standard output. Name a file.'],
    [['doctor', '--support', '/no/such/folder/x.json'], '"/no/such/folder/x.json" cannot be written'],
    [['doctor', 'plant'], 'too many arguments'],
    [['doctor', '--fix'], "unknown option '--fix'"],
  ])('%j is wrong usage: 2', async (args, said) => {
    const { code, out, err } = await runCommand(args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(said);
  });

  test('a file instead of a workspace is wrong usage', async () => {
    const file = join(temporaryFolder(), 'plant');
    writeFileSync(file, '');
    expect(await runCommand(['doctor', '-w', file])).toEqual({
      code: 2,
      out: '',
      err: `tagwright: "${file}" is a file. Name the folder of a workspace.\n`,
    });
  });

  test('escapes control sequences on a terminal', async () => {
    const services = fakeServices();
    const { diagnostics } = fakeServices();
    services.diagnostics.run = async function* odd(input, signal) {
      for await (const step of diagnostics.run(input, signal)) {
        const checks = step.diagnosis?.checks.map((one) => ({ ...one, detail: 'a\u001b[2Jb' }));
        yield { ...step, diagnosis: step.diagnosis && { ...step.diagnosis, checks: checks ?? [] } };
      }
    };
    expect((await runCommand(['doctor'], { services })).out).toContain('a\\u{1b}[2Jb');
  });
});
