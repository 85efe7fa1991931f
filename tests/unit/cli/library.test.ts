import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ERROR_CODES } from '#contract/errors';
import { EXIT_OF_ERROR } from '../../../src-main/cli/exit-codes.ts';
import { TagwrightError } from '../../../src-main/platform/errors.ts';
import { fakeServices } from '../../contract/fake-services.ts';
import { runCommand } from './run-command.ts';
import { sharedFolder } from '../../support/temp-folder.ts';

const folder = sharedFolder();

describe('tags', () => {
  test('list, get and set print columns, or only JSON', async () => {
    const services = fakeServices(2);
    const list = await runCommand(['tags', 'list'], { services });
    expect(list.out).toBe(
      'PATH              KIND     TYPE    UNIT  DESCRIPTION\n' +
        'Plant.Tag0.Value  storage  Double\nPlant.Tag1.Value  storage  Double\n',
    );
    expect(list.err).toBe('2 tags\n');
    const set = await runCommand(['tags', 'set', 'Plant.Tag0.Value=1.5', 'Plant.Tag1.Value="a=b"'], { services });
    expect(set).toEqual({
      code: 0,
      out: 'Plant.Tag0.Value  1.5    Double  Good\nPlant.Tag1.Value  "a=b"  Double  Good\n',
      err: '',
    });
    const get = await runCommand(['tags', 'get', 'Plant.Tag1.Value', '--json'], { services });
    expect(JSON.parse(get.out)).toEqual([{ path: 'Plant.Tag1.Value', value: 'a=b', quality: 'Good', type: 'Double' }]);
  });

  test('a missing tag exits with 1, is printed, and stderr explains it', async () => {
    const { code, out, err } = await runCommand(['tags', 'get', 'No.Such.Tag']);
    expect(code).toBe(1);
    expect(err).toContain('tag No.Such.Tag');
    expect(out).toBe('No.Such.Tag  null  Unknown  BadNodeIdUnknown\n');
  });

  test('a rejected Set lists every item on stderr', async () => {
    const { code, out, err } = await runCommand(['tags', 'set', 'No.Such.Tag=1', 'Plant.Tag0.Value=1']);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toBe('tagwright: Nothing was written: 1 refused.\n  No.Such.Tag: the tag does not exist\n');
  });

  test('import lists rejected rows; export writes the file', async () => {
    const source = join(folder, 'tags.csv');
    writeFileSync(source, 'path,kind');
    const imported = await runCommand(['tags', 'import', source]);
    expect(imported).toEqual({
      code: 1,
      out: '',
      err: 'Nothing was imported: 1 row rejected.\n  row 1  a  too short\n',
    });
    writeFileSync(source, 'path,kind,Lossy');
    expect(await runCommand(['tags', 'import', source])).toEqual({
      code: 1,
      out: '',
      err:
        'Nothing was imported: it would drop 2 stored values of 1 tag. To drop them, add --yes.\n' +
        '  Plant.Lossy  Double → Int  2 values\n',
    });
    expect((await runCommand(['tags', 'import', source, '--yes'])).err).toContain('1 row rejected');
    const target = join(folder, 'out.json');
    expect(await runCommand(['tags', 'export', target])).toEqual({
      code: 0,
      out: `3 tags exported to ${target}\n`,
      err: '',
    });
    expect(readFileSync(target, 'utf8')).toBe('json');
    expect((await runCommand(['tags', 'export', '-', '--format', 'csv'])).out).toBe('csv');
  });
});

describe('scripts', () => {
  test('scripts are saved, listed, shown and deleted; a save keeps the description', async () => {
    const services = fakeServices();
    const file = join(folder, 'fill.js');
    writeFileSync(file, 'return 1\n');
    const save = (...more: string[]) => runCommand(['scripts', 'save', 'Line/Fill', file, ...more], { services });
    expect((await save('--description', 'Fills')).out).toBe('Saved Line/Fill, version 1\n');
    writeFileSync(file, 'return 2\n');
    expect((await save()).out).toBe('Saved Line/Fill, version 2\n');
    expect((await runCommand(['scripts', 'show', 'Line/Fill'], { services })).out).toBe('return 2\n');
    const list = await runCommand(['scripts', 'list'], { services });
    expect(list.out).toBe(
      'GROUP/NAME  VERSION  SAVED (UTC)          DESCRIPTION\nLine/Fill   2        2026-01-02 03:04:05  Fills\n',
    );
    const used = await runCommand(['scripts', 'delete', 'Line/Fill'], { services });
    expect([used.code, used.out]).toEqual([1, '']);
    expect(used.err).toMatch(
      /^tagwright: Line\/Fill is used by 1 script, 1 tag, 1 rule, 1 Diagram and 1 test; nothing was deleted\. Add --yes/,
    );
    expect(used.err).toMatch(/tag +Plant\.Script\.Value +readScript.*test +Line\/Fill: Full/s);
    const deleted = await runCommand(['scripts', 'delete', 'Line/Fill', '--yes'], { services });
    expect(deleted.out).toBe('Deleted Line/Fill\n');
    expect(deleted.err).toContain('1 test');
    expect((await runCommand(['scripts', 'show', 'Line/Fill'], { services })).code).toBe(2);
  });
});

test('settings are listed with their defaults and changed', async () => {
  const services = fakeServices();
  expect((await runCommand(['settings', 'set', 'limits.scriptMs=100'], { services })).out).toMatch(
    /^limits\.scriptMs\s+100\s+\(default 5000\)$/m,
  );
  const { out } = await runCommand(['settings', 'list', '--json'], { services });
  expect(JSON.parse(out)).toMatchObject({ 'limits.scriptMs': 100, 'limits.memoryMb': 128 });
});

test('settings hide the events API key and the proxy password until requested', async () => {
  const services = fakeServices();
  const run = async (...args: string[]) => (await runCommand(['settings', ...args], { services })).out;
  const output = [
    await run('set', 'events.apiKey="key-k3y-key"', 'api.proxy="http://plant:pa55word@proxy.example:8080/"'),
    await run('list'),
    await run('list', '--json'),
  ];
  for (const out of output) {
    expect(out).not.toMatch(/key-k3y-key|pa55word/);
    expect(out).toContain('(set)');
    expect(out).toContain('http://plant:***@proxy.example:8080/');
  }
  expect(JSON.parse(await run('list', '--json', '--show-secrets'))).toMatchObject({
    'api.proxy': 'http://plant:pa55word@proxy.example:8080/',
  });
  expect(JSON.parse(await run('list', '--json'))).toMatchObject({ 'events.enabled': true });
});

describe('errors', () => {
  test.each(Object.entries(EXIT_OF_ERROR))('%s has its exit code and one paragraph on stderr', async (code, exit) => {
    const known = Object.keys(ERROR_CODES).find((one): one is keyof typeof ERROR_CODES => one === code);
    const cannotOpen = new TagwrightError(known ?? 'INTERNAL', `What to do about ${code}.`);
    expect(await runCommand(['tags', 'list', '--json'], { cannotOpen })).toEqual({
      code: exit,
      out: '',
      err: `tagwright: What to do about ${code}.\n`,
    });
  });

  test('an internal error exits with 70', async () => {
    const { code, err } = await runCommand(['tags', 'list'], { cannotOpen: new Error('secret') });
    expect(code).toBe(70);
    expect(err).not.toContain('secret');
  });

  test('the documentation has the same exit codes', () => {
    const documented = readFileSync(join(import.meta.dirname, '../../../docs/operation/command-line.md'), 'utf8');
    for (const [code, exit] of Object.entries(EXIT_OF_ERROR)) {
      expect(documented).toMatch(new RegExp(`^\\| ${exit} \\|.*\`${code}\``, 'm'));
    }
  });

  test('open and start need an instance that serves the workspace', async () => {
    const none = await runCommand(['open']);
    expect(none).toMatchObject({ code: 9, out: '', err: expect.stringContaining('No instance serves the workspace') });
    const holder = { pid: 5, url: null, token: null };
    expect((await runCommand(['open'], { holder })).code).toBe(9);
  });
});
