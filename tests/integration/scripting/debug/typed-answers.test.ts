import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, expect, test } from 'vitest';
import { builtProduct } from '../../../support/product/product.ts';
import { DebugClient } from '../../../support/scripting/debug-client.ts';
import { LEVEL, plant } from './debug-plant.ts';

const CACHE = 'Plant.Tank.Cache.Value';
const TOKEN = 'typed-token-4711';
const SESSION = 'session-of-a-cookie-0815';
const PASSED = 'passed-token-1234';
const PIN = '90471108';
const SECRETS = new RegExp([TOKEN, SESSION, PASSED, PIN].join('|'));

const URL = 'http://erp.invalid/api';
const BODY = `const r = ApiValueManager.FetchWithBearerToken('${URL}/?api_key=${PIN}', 'get', null, '${PASSED}');
const token = JSON.parse(r.ResponseObject).access_token;
const again = ApiValueManager.Fetch('${URL}/' + token + '/orders', 'get');
TagValueManager.Set([{ tag: '${CACHE}', value: 'is ' + token }, { tag: '${LEVEL}', value: ${PIN} }]);
throw new Error('ended with ' + token + ' and ' + again.StatusCode);`;

/** The text of all entries and runs. */
function stored(directory: string): string {
  const database = new Database(join(directory, 'workspace.db'), { readonly: true });
  try {
    const sql = 'SELECT entries FROM journal UNION ALL SELECT details FROM journal_runs';
    return database.prepare<[], string>(sql).pluck().all().join('\n');
  } finally {
    database.close();
  }
}

beforeAll(() => builtProduct());

test('secrets of a typed answer are in no report of calls, no entry and no capsule', async () => {
  const { client, workbench, directory } = await plant();
  const { tags, journal, capsules } = workbench.services;
  await tags.definitions.save({
    path: CACHE,
    kind: 'storage',
    type: 'String',
    description: '',
    unit: '',
    settings: {},
  });
  const debug = await DebugClient.open(client);
  await debug.ok('tagwright/api', { pause: true });
  await debug.launch({ body: BODY });
  await debug.ok('setExceptionBreakpoints', { filters: [] });
  await debug.ok('configurationDone');
  for (const answer of [
    { headers: { 'Set-Cookie': `id=${SESSION}` }, body: JSON.stringify({ access_token: TOKEN, note: `of ${PASSED}` }) },
    { headers: {}, body: `is ${TOKEN}` },
  ]) {
    expect(await debug.stopped()).toMatchObject({ reason: 'api call' });
    await debug.ok('tagwright/api', { answer: { status: 200, ...answer } });
    await debug.ok('continue');
  }
  const report = await debug.report();
  expect(report.error?.message).toBe(`ended with ${TOKEN} and 200`);
  expect(report.apiCalls).toMatchObject([
    {
      url: `${URL}/?api_key=***`,
      response: { headers: [['set-cookie', '***']], body: '{"access_token":"***","note":"of ***"}' },
    },
    { url: `${URL}/***/orders`, response: { body: 'is ***' } },
  ]);
  expect(JSON.stringify(report.apiCalls)).not.toMatch(SECRETS);
  const { causes } = await journal.why({ thing: { kind: 'tag', path: CACHE } });
  expect(causes[0]).toMatchObject({ after: 'is ***' });
  expect((await journal.why({ thing: { kind: 'tag', path: LEVEL } })).causes[0]).toMatchObject({ after: '***' });
  const later = `const [a, b] = TagValueManager.Get(['${CACHE}', '${LEVEL}']).Value; return a.Value + b.Value;`;
  const context = { tagName: '', tagScopeDiagram: null, tagScopeLocation: null };
  const { capsule } = await capsules.record({ body: later, context, dryRun: false });
  expect(JSON.parse(capsule ?? '')).toMatchObject({ report: { result: 'is ******' } });
  const text = [capsule, (await journal.export({})).text, stored(directory)].join('\n');
  expect(text).toContain('ended with *** and 200');
  expect(text).not.toMatch(SECRETS);
});
