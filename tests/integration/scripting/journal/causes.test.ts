import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { RPC_PROTOCOL } from '#contract/browser-session';
import type { InstanceClient } from '../../../../src-main/host/instance-client.ts';
import { requestLink } from '../../../../src-main/host/links.ts';
import { commandLine } from '../../../support/product/command-line.ts';
import { builtProduct } from '../../../support/product/product.ts';
import { reopened, startInstance } from '../../../support/product/served-instance.ts';
import { sharedFolder } from '../../../support/temp-folder.ts';
import { cookieSetBy, send } from '../../../unit/host/browser.ts';

const folder = sharedFolder();
const workspace = join(folder, 'plant');
const TAG = 'Plant.Line.Level.Value';
const tag = { path: TAG, kind: 'storage', type: 'Double', description: '', unit: '', settings: {} } as const;

async function command(args: string[], stdin = ''): Promise<string> {
  const ended = await commandLine([...args, '-w', workspace], { stdin });
  expect({ args, code: ended.code, err: ended.code === 0 ? '' : ended.err }).toEqual({ args, code: 0, err: '' });
  return ended.out;
}

/** The causes of a thing as `what happened (who did it)`. */
async function causesOf(thing: string): Promise<string[]> {
  const { causes } = JSON.parse(await command(['why', thing, '--json']));
  return causes.map(({ action, actor }: { action: string; actor: string }) => `${action} (${actor})`);
}

beforeAll(builtProduct, 180_000);
beforeAll(async () => {
  await commandLine(['workspaces', 'new', workspace, '--empty']);
});

test('tags that a file creates and changes have its import as their cause', async () => {
  const file = join(folder, 'level.json');
  writeFileSync(file, JSON.stringify([tag]));
  await command(['tags', 'import', file]);
  expect(await causesOf(TAG)).toEqual([
    expect.stringMatching(`^created ${TAG} \\(the import of level\\.json by .* on the command line\\)$`),
  ]);
  await command(['tags', 'set', `${TAG}=1`]);
  writeFileSync(file, JSON.stringify([{ ...tag, unit: 'l' }]));
  await command(['tags', 'import', file]);
  expect(await causesOf(TAG)).toEqual([
    expect.stringMatching(`^changed the definition of ${TAG} \\(the import of level\\.json by `),
    expect.stringMatching(`^wrote ${TAG} \\(.* on the command line\\)$`),
  ]);
});

test('an imported folder is the cause of its values and of its rules', async () => {
  const rule = {
    name: 'Level',
    description: '',
    enabled: true,
    triggersEvents: true,
    tags: [TAG],
    sampling: { kind: 'onChange' },
    window: { kind: 'manual' },
    outputs: [{ name: 'last', reducer: 'last', tag: TAG }],
    condition: '',
  };
  await command(['rules', 'save', '-'], JSON.stringify(rule));
  await command(['tags', 'set', `${TAG}=2`]);
  const exported = join(folder, 'line 3');
  await command(['export', exported]);
  await command(['tags', 'set', `${TAG}=3`]);
  await command(['rules', 'save', '-'], JSON.stringify({ ...rule, id: 1, description: 'Changed.' }));
  await command(['import', exported]);
  const [written] = await causesOf(TAG);
  expect(written).toMatch(/^wrote .* \(the import of line 3 by .* on the command line\)$/);
  const { firstEvent } = JSON.parse(await command(['fire', 'Level', '--json']));
  const causes = await causesOf(`event:${firstEvent}`);
  expect(causes[0]).toMatch(/^fired Level .* on the command line\)$/);
  expect(causes[1]).toMatch(/^changed the rule Level \(the import of line 3 by /);
});

test('a restored backup explains a value, with its writer, until the next change', async () => {
  const twice = 'Plant.Line.Twice.Value';
  const calculated = { ...tag, path: twice, kind: 'calculation', settings: { expression: `2 * tag('${TAG}')` } };
  await command(['tags', 'import', '-', '--format', 'json'], JSON.stringify([calculated]));
  await command(['tags', 'set', `${TAG}=4`]);
  const { name } = JSON.parse(await command(['backups', 'create', '--json']));
  await command(['tags', 'set', `${TAG}=5`]);
  await command(['backups', 'restore', name]);
  expect(await causesOf(TAG)).toEqual([
    expect.stringMatching(`^restored the backup ${name} \\(.* on the command line\\)$`),
    expect.stringMatching(`^wrote ${TAG} .* on the command line\\)$`),
  ]);
  // Of a calculation and of its input, it is one line.
  expect(await causesOf(twice)).toEqual([
    expect.stringMatching(/^restored the backup /),
    expect.stringMatching(`^wrote ${TAG} `),
    expect.stringMatching(`^created ${twice} `),
  ]);
  await command(['tags', 'set', `${TAG}=6`]);
  expect(await causesOf(TAG)).toEqual([expect.stringMatching(`^wrote ${TAG} `)]);
});

test('the window and the command line differ, also in a restore', { timeout: 600_000 }, async () => {
  const instance = await startInstance({ workspace, ui: true });
  onTestFinished(async () => void (await instance.close()));
  const page = await pageOf(instance.address());
  await page.tags.set({ items: [{ tag: TAG, value: 7 }] });
  expect(await causesOf(TAG)).toEqual([expect.stringMatching(/^wrote .* in the window\)$/)]);
  await page.runs.execute({
    body: `TagValueManager.Set([{ tag: '${TAG}', value: 8 }]);`,
    context: { tagName: 'A.B.C', tagScopeDiagram: null, tagScopeLocation: null },
    dryRun: false,
  });
  expect((await causesOf(TAG))[1]).toMatch(/^ran a script .* in the window\)$/);
  await command(['tags', 'set', `${TAG}=9`]);
  expect(await causesOf(TAG)).toEqual([expect.stringMatching(/^wrote .* on the command line\)$/)]);
  await page.tags.import({ format: 'json', text: JSON.stringify([{ ...tag, unit: 'm' }]) });
  expect((await causesOf(TAG))[0]).toMatch(/^changed the definition of .* \(an import by .* in the window\)$/);
  const { startedAt } = await page.app.info();
  const { name } = await page.backups.create();
  await page.backups.restore({ name });
  await reopened(workspace, startedAt);
  expect((await causesOf(TAG))[0]).toMatch(/^restored the backup .* in the window\)$/);
});

/** A client that connects as a page in a browser does. */
async function pageOf(address: { url: string; token: string }): Promise<InstanceClient> {
  const response = await send((await requestLink(address)) ?? '');
  const key = response.headers.location?.split('#key=')[1] ?? '';
  const headers = { Cookie: cookieSetBy(response), Origin: address.url };
  const socket = new WebSocket(`${address.url.replace('http', 'ws')}/rpc`, [RPC_PROTOCOL, key], { headers });
  onTestFinished(() => socket.close());
  await once(socket, 'open');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the types of its listeners differ, not the calls
  return createORPCClient(new RPCLink({ websocket: socket as unknown as globalThis.WebSocket }));
}
