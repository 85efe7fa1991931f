import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fakeServices } from '../../../contract/fake-services.ts';
import { runCommand } from '../run-command.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';

test('list prints columns, the newest first, or JSON alone', async () => {
  const { code, out, err } = await runCommand(['erp', 'list']);
  expect({ code, out, err }).toEqual({
    code: 0,
    out:
      'ID  SENT                      TAG                  RECORD\n' +
      '2   2026-01-02T03:04:05.678Z  Plant.Orders.Record  {"order":2,"lines":[null,"ü"]}\n' +
      '1   2026-01-01T03:04:05.678Z  Plant.Other.Record   {"order":1,"lines":[null,"ü"]}\n',
    err: '2 of 2 in the outbox\n',
  });
  const one = await runCommand(['erp', 'list', '--json', '--limit', '1']);
  expect(JSON.parse(one.out)).toMatchObject([{ id: 2, record: { order: 2 } }]);
  const tag = await runCommand(['erp', 'list', '--tag', 'Plant.Other.Record', '--json']);
  expect(JSON.parse(tag.out)).toMatchObject([{ id: 1 }]);
  expect(await runCommand(['erp', 'list', '--limit', 'all'])).toMatchObject({ code: 2 });
});

test('export writes a file, or standard output', async () => {
  const file = join(temporaryFolder(), 'outbox.csv');
  expect((await runCommand(['erp', 'export', file])).out).toBe(`2 records exported to ${file}\n`);
  expect(readFileSync(file, 'utf8')).toBe('csv of 2');
  expect((await runCommand(['erp', 'export', '-', '--format', 'json'])).out).toBe('json of 2');
});

test('clear requires a choice of records', async () => {
  const services = fakeServices();
  for (const args of [[], ['--all', '--tag', 'A.B.C']]) {
    const { code, err } = await runCommand(['erp', 'clear', ...args], { services });
    expect(code).toBe(2);
    expect(err).toContain('Choose the records to delete');
  }
  expect((await runCommand(['erp', 'clear', '--tag', 'Plant.Other.Record'], { services })).out).toBe(
    '1 record deleted\n',
  );
  expect((await runCommand(['erp', 'clear', '--all', '--json'], { services })).out).toBe('{"count":1}\n');
});
