import { describe, expect, test, onTestFinished } from 'vitest';
import type { DiagramPart, DiagramText } from '#domain/tag/diagram';
import { DIAGRAM_LIMITS } from '#domain/tag/diagram';
import { DiagramService } from '../../../../src-main/plant/diagrams/diagram-service.ts';
import { openStore } from '../../../support/services/open-store.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';
import { thrownBy } from '../../../support/thrown-by.ts';

const part = (id: string, change: Partial<DiagramPart> = {}): DiagramPart => ({
  id,
  kind: 'button',
  x: 8,
  y: 16,
  width: 80,
  height: 40,
  label: 'Reset 🏭',
  tag: 'Plant.Line1.Reset.Value',
  value: { to: [0, null] },
  ...change,
});
const page = (name: string, parts: DiagramPart[] = [part('a')]): DiagramText => ({
  name,
  width: 800,
  height: 600,
  parts,
});

function opened() {
  const directory = temporaryFolder();
  const open = () => {
    const store = openStore(directory);
    return { store, diagrams: new DiagramService(store) };
  };
  const now = open();
  onTestFinished(() => now.store.close());
  return {
    diagrams: now.diagrams,
    reopen: () => {
      now.store.close();
      return (now.diagrams = Object.assign(now, open()).diagrams);
    },
  };
}

describe('Diagrams', () => {
  test('survive a restart unchanged', async () => {
    const workspace = opened();
    const saved = await workspace.diagrams.save(page('Overview'));
    const diagrams = workspace.reopen();
    expect(diagrams.get({ name: 'overview' })).toEqual({ ...page('Overview'), ...saved });
    expect(diagrams.list()).toMatchObject([{ name: 'Overview', parts: 1, version: 1 }]);
    await diagrams.delete({ id: saved.id });
    const error = await thrownBy(async () => diagrams.get({ id: saved.id }));
    expect(error.code).toBe('NOT_FOUND');
  });

  test('a trend and a gauge have settings that fit, and no other part has them', async () => {
    const workspace = opened();
    const trend = part('a', {
      kind: 'trend',
      tag: '',
      trend: { tags: ['Plant.A.Value', 'Plant.B.Value'], spanMs: 60_000 },
    });
    const gauge = part('b', { kind: 'gauge', gauge: { min: 0, max: 10, low: null, high: 8 } });
    await workspace.diagrams.save(page('Live', [trend, gauge]));
    expect(workspace.reopen().get({ name: 'Live' }).parts).toEqual([trend, gauge]);
    const reasonOf = async (one: DiagramPart) =>
      (await thrownBy(() => workspace.diagrams.save(page('Other', [one])))).message;
    expect(await reasonOf(part('a', { kind: 'trend' }))).toContain('A trend needs "trend"');
    expect(await reasonOf(part('a', { kind: 'gauge' }))).toContain('A gauge needs "gauge"');
    expect(await reasonOf({ ...gauge, kind: 'value' })).toContain('Only a gauge has "gauge"');
    expect(await reasonOf({ ...gauge, gauge: { min: 1, max: 1, low: null, high: null } })).toContain('less than');
    expect(await reasonOf({ ...gauge, gauge: { min: 0, max: 1, low: null, high: 2 } })).toContain('between');
  });

  test('notify of every save and deletion, but not of rejected ones', async () => {
    const { diagrams } = opened();
    const heard: number[] = [];
    diagrams.onChange(({ id }) => heard.push(id));
    const first = await diagrams.save(page('B'));
    await thrownBy(() => diagrams.save(page('b')));
    const second = await diagrams.save(page('A'));
    await diagrams.delete({ id: first.id });
    expect(heard).toEqual([first.id, second.id, first.id]);
    expect(diagrams.list().map(({ name }) => name)).toEqual(['A']);
  });

  test('of two concurrent saves with one name, one is rejected', async () => {
    const { diagrams } = opened();
    const results = await Promise.allSettled([diagrams.save(page('Twin')), diagrams.save(page('twin'))]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const refused = results.find((result) => result.status === 'rejected');
    expect(refused?.reason).toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('already') });
    expect(diagrams.list()).toHaveLength(1);
  });

  test('a save over the work of another window is rejected, with the stored one', async () => {
    const { diagrams } = opened();
    const first = await diagrams.save(page('Shared'));
    const second = await diagrams.save({ ...page('Shared'), id: first.id, baseVersion: 1, width: 900 });
    expect(second).toMatchObject({ id: first.id, version: 2, width: 900 });
    const error = await thrownBy(() => diagrams.save({ ...page('Shared'), id: first.id, baseVersion: 1 }));
    expect(error).toMatchObject({ code: 'CONFLICT', data: { current: { version: 2, width: 900 } } });
  });

  test('saved and deleted at once are deleted in either order, also from the file', async () => {
    const workspace = opened();
    const { diagrams } = workspace;
    const [first, second] = [await diagrams.save(page('A')), await diagrams.save(page('B'))];
    const results = await Promise.allSettled([
      diagrams.delete({ id: first.id }),
      diagrams.save({ ...page('A'), id: first.id, width: 900 }),
      diagrams.save({ ...page('B'), id: second.id, width: 900 }),
      diagrams.delete({ id: second.id }),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect(results[1]).toMatchObject({ reason: { code: 'NOT_FOUND' } });
    expect(diagrams.list()).toEqual([]);
    expect(workspace.reopen().list()).toEqual([]);
  });

  test('of two concurrent saves over one version, the second is rejected completely', async () => {
    const { diagrams } = opened();
    const { id } = await diagrams.save(page('Shared'));
    const saves = await Promise.allSettled(
      [900, 950].map((width) => diagrams.save({ ...page('Shared'), id, baseVersion: 1, width })),
    );
    expect(saves).toMatchObject([
      { status: 'fulfilled', value: { version: 2, width: 900 } },
      { status: 'rejected', reason: { code: 'CONFLICT', data: { current: { version: 2, width: 900 } } } },
    ]);
    expect(diagrams.get({ id })).toMatchObject({ version: 2, width: 900 });
  });

  test.each([
    ['no name', page(''), /Name is required/],
    ['a name with a slash', page('a/b'), /cannot contain "\/"/],
    ['a name that is too long', page('x'.repeat(DIAGRAM_LIMITS.name + 1)), /at most 100 characters/],
    ['a part outside of the page', page('P', [part('a', { x: 760 })]), /beyond the page of 800 × 600 px/],
    ['two parts of one id', page('P', [part('a'), part('a')]), /two parts have the id "a"/],
  ])('%s is rejected', async (_what, text, message) => {
    const { diagrams } = opened();
    const error = await thrownBy(() => diagrams.save(text));
    expect(error.code).toBe('BAD_REQUEST');
    expect(error.message).toMatch(message);
    expect(diagrams.list()).toEqual([]);
  });
});
