import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Json } from '#domain/text/json';
import type { RemoteServer } from '../../support/services/remote-server.ts';
import { startRemoteServer } from '../../support/services/remote-server.ts';
import type { SamplePlant } from '../plant/tags/sample-plant.ts';
import { samplePlant } from '../plant/tags/sample-plant.ts';

/** The scripts of the sample that call one API each, with a real server instead of the address in their text. */
const FLOWS = [
  {
    name: 'Latest water analysis',
    answer: { hardness: 7.5, takenAt: '2026-11-20' },
    result: '7.5 °dH, taken 2026-11-20',
    tag: 'Bottling.Utilities.Water.Hardness.Value',
    sent: 'GET /api/samples/latest?line=Line1',
    // The script logs why there is no sample, and ends.
    failure: (report: { result: Json; console: { text: string }[] }) => [report.result, report.console.map(textOf)],
  },
  {
    name: 'Order caps',
    answer: { order: 'C-77' },
    result: 'Order C-77: 12 boxes of caps.',
    tag: null,
    sent: 'POST /api/orders',
    // The script ends with an error that contains the supplier's message.
    failure: (report: { error: { message: string } | null }) => report.error?.message ?? null,
  },
] as const;
const textOf = ({ text }: { text: string }) => text;

let plant: SamplePlant;
let end: RemoteServer;
let reply: (response: ServerResponse) => void;

/** What may fail, and what the script must report. */
const FAILURES: [string, (response: ServerResponse) => void, RegExp][] = [
  ['is refused', (r) => void r.writeHead(401).end('{"code":"bad_key"}'), /bad_key/],
  ['finds nothing', (r) => void r.writeHead(404).end(), /Http404/],
  ['is answered by a page', (r) => void r.writeHead(503, { 'Content-Type': 'text/html' }).end('<p>later</p>'), /later/],
  ['is slow', () => undefined, /Timeout/],
  ['is cut off', (r) => void r.destroy(), /ConnectionReset/],
];

beforeAll(async () => {
  [plant, end] = await Promise.all([samplePlant(), startRemoteServer((_, response) => reply(response))]);
  await plant.secrets.set({ name: 'CAPS_KEY', value: 'key-of-the-caps' });
  for (const { name } of FLOWS) {
    const entry = plant.index.find((script) => script.name === name);
    if (!entry) throw new Error(`the sample has no script "${name}"`);
    const { id, body, group, description } = plant.scripts.get({ group: entry.group, name });
    const moved = body.replaceAll(/https:\/\/[a-z]+\.bottling\.example/g, end.base);
    await plant.scripts.save({ id, group, name, description, body: moved });
  }
});
afterAll(async () => {
  await plant.close();
  await end.close();
});
beforeEach(async () => {
  await plant.mocks.delete({ ids: null });
  await plant.settings.update({ 'api.mode': 'live', 'api.timeoutMs': 10_000 });
});

/** Creates mocks from the new calls, and switches to mocks only. */
async function goOffline(): Promise<number> {
  const [call] = plant.calls.list({}).calls.slice(-1);
  await plant.mocks.save(plant.mocks.ofCall({ seq: call?.seq ?? 0 }));
  await plant.settings.update({ 'api.mode': 'offline' });
  return end.requests.length;
}

describe.each(FLOWS)('$name', ({ name, answer: good, result, tag, sent, failure }) => {
  const stored = async () => (tag === null ? null : (await plant.tags.get({ paths: [tag] }))[0]?.value);

  test('does the same with a real server as offline with mocks of its responses', async () => {
    reply = (response) => void response.end(JSON.stringify(good));
    const live = await plant.run(name);
    expect(live).toMatchObject({ status: 'ok', result, apiCalls: [{ source: 'live', statusCode: '200' }] });
    expect(`${end.requests.at(-1)?.method} ${end.requests.at(-1)?.url}`).toBe(sent);
    const value = await stored();
    const before = await goOffline();
    if (tag !== null) await plant.tags.set({ items: [{ tag, value: 0 }] });
    expect(await plant.run(name)).toMatchObject({ status: 'ok', result, apiCalls: [{ source: 'mock' }] });
    expect(await stored()).toEqual(value);
    expect(end.requests).toHaveLength(before);
  });

  test.each(FAILURES)('reports the same for a call that %s', async (_, misbehave, said) => {
    reply = misbehave;
    if (said.source === 'Timeout') await plant.settings.update({ 'api.timeoutMs': 300 });
    const live = await plant.run(name);
    expect(JSON.stringify(failure(live))).toMatch(said);
    const before = await goOffline();
    const offline = await plant.run(name);
    const outcome = ({ status, apiCalls }: typeof live) => [
      status,
      apiCalls.map(({ statusCode, error }) => [statusCode, error]),
    ];
    expect(outcome(offline)).toEqual(outcome(live));
    expect(JSON.stringify(failure(offline))).toMatch(said);
    // A fault of a mock says that it is one; a response is identical.
    if (live.apiCalls[0]?.statusCode !== '0') expect(failure(offline)).toEqual(failure(live));
    expect(end.requests).toHaveLength(before);
  });
});
