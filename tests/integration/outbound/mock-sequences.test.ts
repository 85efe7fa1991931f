import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mockRoute } from '#contract/texts/mock-route';
import type { SequenceEnd } from '#domain/mock/mock';
import type { GivenTrial } from '../../../src-main/outbound/mocks/mock-trial.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';
import { wiredOutbound } from '../../support/services/wired-outbound.ts';

const URL_TEXT = 'https://far.invalid/state';
const text = (status: number, value: string) => ({ status, body: { kind: 'text', text: value } });
/** Two errors, then a response with a value. */
const recovering = (end: SequenceEnd = 'repeat') => ({
  request: { url: URL_TEXT },
  answer: text(500, 'down'),
  sequence: { answers: [{ fault: 'reset' }, { ...text(200, 'up {{hits}}'), template: true }], end },
});

describe('a mock with several responses', () => {
  const statuses = async ({ call }: Pick<ReturnType<typeof wiredOutbound>, 'call'>, count: number) => {
    const codes: string[] = [];
    for (let index = 0; index < count; index += 1) {
      // oxlint-disable-next-line no-await-in-loop -- in order
      codes.push((await call('Fetch', [URL_TEXT, 'get'])).result.statusCode);
    }
    return codes;
  };

  test('gives each call the next one, and repeats the last', async () => {
    const wired = wiredOutbound({ 'api.mode': 'offline' });
    await wired.add('Recovering', recovering());
    expect(await statuses(wired, 5)).toEqual(['500', '0', '200', '200', '200']);
    const { result } = await wired.call('Fetch', [URL_TEXT, 'get']);
    expect(result.responseObject).toBe('up 6');
  });

  test('starts again if it says so', async () => {
    const wired = wiredOutbound({ 'api.mode': 'offline' });
    await wired.add('Circle', recovering('restart'));
    expect(await statuses(wired, 5)).toEqual(['500', '0', '200', '500', '0']);
  });

  test('continues after a restart of Tagwright, and is restarted on request', async () => {
    const directory = join(temporaryFolder(), 'plant');
    const first = wiredOutbound({ 'api.mode': 'offline' }, directory);
    const { id } = await first.add('Recovering', recovering());
    const plain = await first.add('Plain', { request: { url: 'https://b.invalid/' } });
    await statuses(first, 2);
    await first.close();
    const second = wiredOutbound({ 'api.mode': 'offline' }, directory);
    expect(second.mocks.list().mocks[0]).toMatchObject({ hits: 2, position: 2 });
    expect(await statuses(second, 1)).toEqual(['200']);
    expect(await second.mocks.restartSequences({ ids: null })).toEqual({ count: 1 });
    expect(await statuses(second, 1)).toEqual(['500']);
    expect(await second.mocks.restartSequences({ ids: [id, plain.id] })).toEqual({ count: 1 });
    expect(second.mocks.list().mocks[0]).toMatchObject({ hits: 4, position: 0 });
    await expect(second.mocks.restartSequences({ ids: [99] })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('keeps its position when saved, unless its responses change', async () => {
    const wired = wiredOutbound({ 'api.mode': 'offline' });
    const { id } = await wired.add('Recovering', recovering());
    await statuses(wired, 2);
    const save = (change: object) =>
      wired.mocks.save({ ...mockRoute().parse({ name: 'Recovering', ...recovering(), ...change }), id });
    expect(await save({ priority: 3 })).toMatchObject({ position: 2, hits: 2 });
    expect(await save({ answer: text(503, 'down') })).toMatchObject({ position: 0, hits: 2 });
    expect(await statuses(wired, 1)).toEqual(['503']);
  });

  test('is deleted and restored with its position', async () => {
    const wired = wiredOutbound({ 'api.mode': 'offline' });
    await wired.add('Recovering', recovering());
    await statuses(wired, 2);
    const { mocks } = wired.mocks.list();
    await wired.mocks.delete({ ids: null });
    await wired.mocks.restore({ mocks, remove: [] });
    expect(await statuses(wired, 1)).toEqual(['200']);
  });

  test('is exported and imported; one without a sequence as before', async () => {
    const wired = wiredOutbound();
    await wired.add('Plain', { request: { url: URL_TEXT } });
    expect(JSON.parse(wired.mocks.export().text).mocks).toEqual([
      mockRoute().parse({ name: 'Plain', request: { url: URL_TEXT } }),
    ]);
    expect(wired.mocks.export().text).not.toMatch(/sequence|position/);
    await wired.add('Recovering', recovering('restart'));
    const { text: file } = wired.mocks.export();
    await wired.mocks.import({ format: 'auto', text: file, replace: true });
    expect(wired.mocks.export().text).toBe(file);
  });

  test('starts with its first response in every dry run, which leaves it where it is', async () => {
    const wired = wiredOutbound({ 'api.mode': 'offline' });
    await wired.add('Recovering', recovering());
    expect(await statuses(wired, 1)).toEqual(['500']);
    expect(await statuses(wired.dryRun(), 3)).toEqual(['500', '0', '200']);
    expect(await statuses(wired.dryRun(), 1)).toEqual(['500']);
    expect(wired.mocks.list().mocks[0]).toMatchObject({ hits: 5, position: 1 });
  });

  test('is tried without a call: the next response, or a chosen one', async () => {
    const wired = wiredOutbound({ 'api.mode': 'offline' });
    const { id } = await wired.add('Recovering', recovering());
    await statuses(wired, 2);
    const given: GivenTrial = { method: 'GET', url: URL_TEXT, headers: [], body: null, draft: null };
    expect(await wired.mocks.try(given)).toMatchObject({
      sequence: { response: 3, count: 3 },
      answer: { status: 200 },
    });
    expect(await wired.mocks.try({ ...given, response: 1 })).toMatchObject({ answer: { status: 500 } });
    expect(await wired.mocks.try({ ...given, response: 9 })).toMatchObject({ sequence: { response: 3 } });
    const draft = { id, route: mockRoute().parse({ name: 'Draft', ...recovering() }) };
    expect(await wired.mocks.try({ ...given, draft })).toMatchObject({ sequence: { response: 1 } });
    expect(wired.mocks.list().mocks[0]?.position).toBe(2);
  });

  test('has the problems of each response at its own place', async () => {
    const wired = wiredOutbound();
    const route = mockRoute().parse({
      name: 'Files',
      request: { url: URL_TEXT },
      sequence: { answers: [{}, { body: { kind: 'file', file: 'missing.png' } }] },
    });
    expect(wired.mocks.check(route).issues).toMatchObject([{ path: ['sequence', 'answers', 1, 'body', 'file'] }]);
  });
});
