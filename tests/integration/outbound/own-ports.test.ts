import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { mockRoute } from '#contract/texts/mock-route';
import { builtProduct } from '../../support/product/product.ts';
import { clientOf, serve } from '../../support/product/served-instance.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

beforeAll(builtProduct, 180_000);

/** Every method of ApiValueManager at one URL, by name. */
const CALLS = `
  const methods = {
    GetOauthToken: [url, '[]'],
    Fetch: [url, 'delete', null], FetchWithBearerToken: [url, 'put', '{}', 'token'],
    FetchWithApiKey: [url, 'post', '{}', 'key'], FetchWithUserCredentials: [url, 'get', null, 'user', 'password'],
    GetImage: [url], GetImageWithBearerToken: [url, 'token'], GetImageWithApiKey: [url, 'key'],
    GetImageWithUserCredentials: [url, 'user', 'password'],
  };
  return Object.entries(methods).map(([name, args]) => {
    const { Success, StatusCode, ErrorMessage } = ApiValueManager[name](...args);
    return [name, Success, StatusCode, JSON.parse(ErrorMessage ?? '{}').error ?? null, ErrorMessage];
  });`;

test('a script reaches its own instance only if the setting allows it', async () => {
  const workspace = temporaryFolder();
  const { port } = await serve(workspace);
  const client = await clientOf(workspace);
  const { url: own }: { url: string } = JSON.parse(readFileSync(join(workspace, 'instance.json'), 'utf8'));
  const context = { tagName: 'Plant.Outer.Value', tagScopeDiagram: null, tagScopeLocation: null };
  const run = async (url: string) => {
    const report = await client.runs.execute({
      body: `const url = ${JSON.stringify(url)};${CALLS}`,
      context,
      dryRun: false,
    });
    expect(report.status).toBe('ok');
    return report.result as [string, boolean, string, string | null, string | null][];
  };
  for (const base of [`http://127.0.0.1:${port}`, `http://localhost:${port}`, own]) {
    const responses = await run(`${base}/api/events/987654`);
    expect(responses).toHaveLength(9);
    for (const [, success, status, error, message] of responses) {
      expect([success, status, error]).toEqual([false, '0', 'OwnPortRefused']);
      expect(message).toContain('setting api.allowOwnPorts');
    }
  }

  // A mock causes no network call.
  const url = `http://localhost:${port}/api/events/987654`;
  const mock = await client.mocks.save(mockRoute().parse({ name: 'Own', request: { url }, answer: { status: 204 } }));
  expect((await run(url))[1]?.slice(0, 4)).toEqual(['Fetch', true, '204', null]);
  await client.mocks.delete({ ids: [mock.id] });

  // A port changed by the setting counts as soon as the API listens there.
  await client.settings.update({ 'events.port': 0 });
  await client.settings.update({ 'api.allowOwnPorts': true });
  const { eventsApi } = await client.app.info();
  const [, fetched] = await run(`${eventsApi}/api/events/987654`);
  expect(fetched?.slice(0, 3)).toEqual(['Fetch', false, '404']);
  await client.settings.update({ 'api.allowOwnPorts': false });
  expect((await run(`${eventsApi}/api/events/987654`))[1]?.[3]).toBe('OwnPortRefused');
});
