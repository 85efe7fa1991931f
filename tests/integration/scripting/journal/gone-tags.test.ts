import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Why } from '#domain/run/why';
import type { InstanceClient } from '../../../../src-main/host/instance-client.ts';
import { builtProduct } from '../../../support/product/product.ts';
import { type ServedInstance, startInstance } from '../../../support/product/served-instance.ts';

const FIRST = 'Plant.Oven.First.Value';
const SECOND = 'Plant.Oven.Second.Value';

let instance: ServedInstance;
let client: InstanceClient;
beforeAll(builtProduct, 180_000);
beforeAll(async () => {
  instance = await startInstance();
  client = await instance.client();
});
afterAll(async () => void (await instance.close()));

const why = (path: string, at?: string): Promise<Why> =>
  client.journal.why({ thing: { kind: 'tag', path }, ...(at !== undefined && { at }) });
const actions = ({ causes }: Why) => causes.map(({ action }) => action);

test('a tag that was renamed or deleted is explained by its former path', async () => {
  await client.tags.save({ path: FIRST, kind: 'storage', type: 'Double', description: '', unit: '', settings: {} });
  await client.tags.set({ items: [{ tag: FIRST, value: 1 }] });
  const typed = await why('Plant.Oven.Frist.Value');
  expect(typed).toMatchObject({ causes: [], problem: expect.stringContaining(`Did you mean "${FIRST}"?`) });
  expect((await why('Somewhere.Else.Entirely')).problem).toBe('The tag "Somewhere.Else.Entirely" does not exist.');

  await client.tags.rename({ path: FIRST, newPath: SECOND, updateScripts: false });
  const renamed = await why(FIRST);
  expect(renamed.problem).toBe(`The tag "${FIRST}" does not exist. It is called "${SECOND}" now.`);
  expect(actions(renamed)).toEqual([`${SECOND} renamed from ${FIRST}`]);

  await client.tags.set({ items: [{ tag: SECOND, value: 2 }] });
  const before = new Date().toISOString();
  await client.tags.delete({ paths: [SECOND] });
  const deleted = await why(SECOND);
  expect(deleted.problem).toBe(`The tag "${SECOND}" does not exist.`);
  expect(actions(deleted)).toEqual([`deleted ${SECOND}`, `wrote ${SECOND}`]);
  expect(deleted.causes[1]).toMatchObject({ before: 1, after: 2 });
  expect(actions(await why(SECOND, before))).toEqual([expect.stringMatching(/^wrote /)]);
  // Its other name is known, but not that of a tag now.
  expect((await why(FIRST)).problem).toBe(`The tag "${FIRST}" does not exist.`);
});

test('each of the tags that were deleted together is found, behind many later entries', async () => {
  const paths = ['A "1"', 'B', 'C'].map((name) => `Plant.Batch.${name}.Value`);
  const tag = { kind: 'storage' as const, type: 'Double' as const, description: '', unit: '', settings: {} };
  for (const path of [...paths, 'Plant.Busy.Tag.Value']) await client.tags.save({ ...tag, path });
  for (const [value, path] of paths.entries()) await client.tags.set({ items: [{ tag: path, value }] });
  await client.tags.delete({ paths });
  const body = `for (let i = 0; i < 21_000; i += 1) TagValueManager.Set([{ tag: 'Plant.Busy.Tag.Value', value: i }]);`;
  const context = { tagName: '', tagScopeDiagram: null, tagScopeLocation: null };
  await client.settings.update({ 'limits.scriptMs': 60_000 });
  expect(await client.runs.execute({ body, context, dryRun: false })).toMatchObject({ status: 'ok' });
  for (const [value, path] of paths.entries()) {
    const { problem, causes } = await why(path);
    expect({ problem, causes }).toMatchObject({
      problem: `The tag "${path}" does not exist.`,
      causes: [{ action: `deleted ${path}` }, { after: value }],
    });
  }
  expect((await why('Plant.Batch.D.Value')).causes).toEqual([]);
}, 120_000);

test('no secret of a deleted tag is in its explanation, and none of its connections', async () => {
  const [path, url, named] = ['Plant.Login.Cache.Value', 'https://login.test/token', 'named-secret-0815'];
  const [token, pin, proxy] = ['token-of-a-response-4711', 90_471_108, 'http://me:proxy-pass-0815@proxy.test:3128'];
  await client.secrets.set({ name: 'NAMED', value: named });
  await client.settings.update({ 'api.mode': 'offline', 'api.proxy': proxy });
  const answer = {
    status: 200,
    headers: [],
    delayMs: 0,
    fault: null,
    template: false,
    body: { kind: 'json' as const, json: { access_token: token, pin } },
  };
  const request = { method: 'POST' as const, url, headers: [], body: null };
  await client.mocks.save({ name: 'Login', enabled: true, priority: 0, request, answer });
  const body = `const { access_token, pin } = JSON.parse(ApiValueManager.GetOauthToken('${url}', '[]').ResponseObject);
for (const value of ['Bearer ' + access_token, { pin }]) TagValueManager.Set([{ tag: '${path}', value }]);`;
  const tag = { path, kind: 'storage' as const, type: 'Json' as const, unit: '' };
  await client.tags.save({ ...tag, description: `for ${named}`, settings: { initial: { key: named, proxy } } });
  const context = { tagName: path, tagScopeDiagram: null, tagScopeLocation: null };
  expect(await client.runs.execute({ body, context, dryRun: false })).toMatchObject({ status: 'ok' });
  for (const value of [`key ${named}`, `through ${proxy}`]) await client.tags.set({ items: [{ tag: path, value }] });
  const before = new Date().toISOString();
  await client.tags.delete({ paths: [path] });

  const explained = await why(path);
  expect(actions(explained)).toEqual([`deleted ${path}`, `wrote ${path}`]);
  expect(explained.causes[1]).toMatchObject({ before: 'key ***', after: 'through ***' });
  const shown = [
    explained,
    await why(path, before),
    await client.journal.tag({ path }),
    await client.journal.export({}),
  ];
  const text = JSON.stringify(shown);
  for (const secret of [token, String(pin), named, 'proxy-pass']) expect(text).not.toContain(secret);
});
