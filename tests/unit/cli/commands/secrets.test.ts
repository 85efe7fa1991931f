import { expect, test } from 'vitest';
import { fakeServices } from '../../../contract/fake-services.ts';
import { runCommand } from '../run-command.ts';

const NAMED =
  '{{secret:ERP_KEY}} is still named here:\n' +
  'script   Line/Fill  3:7\n' +
  'draft    Line/New   1:2\n' +
  'mock     Token      headers\n' +
  'setting  api.proxy\n';

test('deleting a secret lists its references on stderr and in the JSON', async () => {
  expect(await runCommand(['secrets', 'delete', 'ERP_KEY'])).toEqual({
    code: 0,
    out: 'ERP_KEY is deleted\n',
    err: NAMED,
  });
  const json = await runCommand(['secrets', 'delete', 'ERP_KEY', '--json']);
  expect(json.err).toBe(NAMED);
  expect(JSON.parse(json.out)).toEqual({
    name: 'ERP_KEY',
    usage: {
      scripts: [{ id: 1, group: 'Line', name: 'Fill', version: 2, places: [{ line: 3, column: 7 }] }],
      drafts: [{ key: 'new-1', scriptId: null, group: 'Line', name: 'New', places: [{ line: 1, column: 2 }] }],
      mocks: [{ id: 1, name: 'Token', members: ['headers'] }],
      settings: ['api.proxy'],
    },
  });
});

test('deleting an unreferenced secret prints no list', async () => {
  const services = fakeServices();
  services.usage = { ...services.usage, ofSecret: () => ({ scripts: [], drafts: [], mocks: [], settings: [] }) };
  expect(await runCommand(['secrets', 'delete', 'ERP_KEY'], { services })).toEqual({
    code: 0,
    out: 'ERP_KEY is deleted\n',
    err: '',
  });
});
