import { describe, expect, test } from 'vitest';
import type { Quality } from '#domain/tag/quality';
import { FakeClock } from '../../../../support/fake-clock.ts';
import { thrownBy } from '../../../../support/thrown-by.ts';
import { machine, readNow, readOne, storage, tagOf, tagWorkspace } from '../tag-workspace.ts';

const PATH = 'Line1.Filler.Motor.Speed';
const RAMP = { kind: 'ramp', min: 0, max: 100, periodMs: 100_000 };
const clockAtRampStart = () => new FakeClock('2026-01-01T00:00:00.000Z');

describe('machine tags', () => {
  test('show their signal over time, at their update rate', async () => {
    const { tags, clock } = tagWorkspace({ clock: clockAtRampStart() });
    await tags.definitions.save(machine(PATH, RAMP));
    const value = () => readNow(tags, { paths: [PATH] })[0];
    expect(value()).toEqual({ path: PATH, value: 0, quality: 'Good', type: 'Double' });
    clock.advance(999);
    expect(value()?.value).toBe(0);
    clock.advance(1);
    expect(value()?.value).toBe(1);
    clock.advance(49_000);
    expect(value()?.value).toBe(50);
  });

  test('read the same for every scope', async () => {
    const { tags } = tagWorkspace();
    await tags.definitions.save(machine(PATH, RAMP));
    await tags.set({ items: [{ tag: PATH, value: 5 }], diagram: 'Filler', location: 'Hall 1' });
    expect(readNow(tags, { paths: [PATH] })[0]?.value).toBe(5);
    expect(readNow(tags, { paths: [PATH], diagram: 'Packer' })[0]?.value).toBe(5);
  });

  test('are overridden by a write until released, over restarts', async () => {
    const { tags, clock, reopen } = tagWorkspace({ clock: clockAtRampStart() });
    await tags.definitions.save(machine(PATH, RAMP));
    expect(await tags.set({ items: [{ tag: PATH, value: '42' }] })).toEqual([
      { path: PATH, value: 42, quality: 'GoodLocalOverride', type: 'Double', overridden: true },
    ]);
    clock.advance(10_000);
    for (const service of [tags, reopen()]) {
      expect(service.get({ paths: [PATH] })).toEqual([
        { path: PATH, value: 42, quality: 'GoodLocalOverride', type: 'Double', overridden: true },
      ]);
    }
    await tags.release({ paths: [PATH, PATH] });
    for (const service of [tags, reopen()]) {
      expect(service.get({ paths: [PATH] })).toEqual([{ path: PATH, value: 10, quality: 'Good', type: 'Double' }]);
    }
    await tags.set({ items: [{ tag: PATH, value: null }] });
    for (const service of [tags, reopen()]) {
      expect(service.get({ paths: [PATH] })).toEqual([
        { path: PATH, value: null, quality: 'GoodLocalOverride', type: 'Double', overridden: true },
      ]);
    }
  });

  test.each<[Quality, number | null]>([
    ['BadDeviceFailure', null],
    ['BadNotConnected', null],
    ['UncertainSensorNotAccurate', 10],
    ['Good', 10],
  ])('with a forced quality %s show %j until cleared, over restarts', async (quality, value) => {
    const { tags, clock, reopen } = tagWorkspace({ clock: clockAtRampStart() });
    await tags.definitions.save(machine(PATH, RAMP));
    await tags.force({ path: PATH, quality });
    clock.advance(10_000);
    for (const service of [tags, reopen()]) {
      expect(service.get({ paths: [PATH] })).toMatchObject([{ path: PATH, value, quality, type: 'Double' }]);
    }
    const written = await tags.set({ items: [{ tag: PATH, value: 77 }] });
    expect(written[0]).toMatchObject({ value: 77, quality: 'GoodLocalOverride' });
    expect(tags.get({ paths: [PATH] })).toMatchObject([{ path: PATH, value: value && 77, quality, type: 'Double' }]);
    await tags.release({ paths: [PATH] });
    expect(tags.get({ paths: [PATH] })).toMatchObject([{ path: PATH, value, quality, type: 'Double' }]);
    await tags.force({ path: PATH, quality: null });
    for (const service of [tags, reopen()]) {
      expect(service.get({ paths: [PATH] })).toEqual([{ path: PATH, value: 10, quality: 'Good', type: 'Double' }]);
    }
  });

  test('are forced together, all or none', async () => {
    const { tags } = tagWorkspace({ clock: clockAtRampStart() });
    const others = ['Plant.Plc1.A.Value', 'Plant.Plc1.B.Value'];
    for (const path of others) await tags.definitions.save(machine(path, RAMP));
    await tags.definitions.save(storage('Plant.Plc1.C.Value', 'Int'));
    const qualities = async () => (await tags.get({ paths: others })).map(({ quality }) => quality);
    const all = { paths: [...others, 'Plant.Plc1.C.Value'], quality: 'BadCommunicationError' } as const;
    await expect(tags.forceAll(all)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect(await qualities()).toEqual(['Good', 'Good']);
    await tags.forceAll({ paths: others, quality: 'BadCommunicationError' });
    expect(await qualities()).toEqual(['BadCommunicationError', 'BadCommunicationError']);
    await tags.forceAll({ paths: others, quality: null });
    expect(await qualities()).toEqual(['Good', 'Good']);
  });

  test('show one state while overridden and forced, in reads and in watches', async () => {
    const { tags } = tagWorkspace({ clock: clockAtRampStart() });
    await tags.definitions.save(machine(PATH, RAMP));
    const end = new AbortController();
    const watch = tags.watch({ paths: [PATH] }, end.signal);
    const watched = async () => (await watch.next()).value?.[0];
    await watched();
    const quality = 'BadCommunicationError';
    const common = { path: PATH, type: 'Double', quality, value: null, reason: 'the quality is forced' };
    const states: [() => Promise<unknown>, object][] = [
      [() => tags.force({ path: PATH, quality }), { ...common, forced: true }],
      // The value does not change, but the state does.
      [() => tags.set({ items: [{ tag: PATH, value: 1.6 }] }), { ...common, forced: true, overridden: true }],
      [
        () => tags.force({ path: PATH, quality: null }),
        { path: PATH, type: 'Double', quality: 'GoodLocalOverride', value: 1.6, overridden: true },
      ],
      [() => tags.force({ path: PATH, quality }), { ...common, forced: true, overridden: true }],
      [() => tags.release({ paths: [PATH] }), { ...common, forced: true }],
    ];
    for (const [change, state] of states) {
      await change();
      expect(readNow(tags, { paths: [PATH] })).toEqual([state]);
      expect(await watched()).toEqual(state);
    }
    end.abort();
  });

  test('leave only the time of the last change when nothing is forced', async () => {
    const { tags, database } = tagWorkspace();
    await tags.definitions.save(machine(PATH, RAMP));
    await tags.set({ items: [{ tag: PATH, value: 1 }] });
    await tags.force({ path: PATH, quality: 'Bad' });
    await tags.release({ paths: [PATH] });
    const rows = () => database.prepare('SELECT value, quality FROM machine_overrides').all();
    expect(rows()).toEqual([{ value: null, quality: 'Bad' }]);
    await tags.force({ path: PATH, quality: null });
    expect(rows()).toEqual([{ value: null, quality: null }]);
    await tags.definitions.save(machine('Other.One.Value', RAMP));
    await tags.release({ paths: ['Other.One.Value'] });
    await tags.force({ path: 'Other.One.Value', quality: null });
    expect(rows()).toHaveLength(1);
  });

  test('are forced and released all or none; other kinds are rejected', async () => {
    const { tags } = tagWorkspace();
    await tags.definitions.save(machine(PATH, RAMP));
    await tags.definitions.save(storage('Recipe.Target.Value'));
    await tags.set({ items: [{ tag: PATH, value: 1 }] });
    const forced = await thrownBy(() => tags.force({ path: 'Recipe.Target.Value', quality: 'Bad' }));
    expect(forced.code).toBe('BAD_REQUEST');
    expect(forced.message).toContain('is a storage tag; only machine tags');
    const released = await thrownBy(() => tags.release({ paths: [PATH, 'Line1.Filler.Motor.Sped'] }));
    expect(released.code).toBe('NOT_FOUND');
    expect(released.message).toContain(`did you mean "${PATH}"?`);
    expect(readNow(tags, { paths: [PATH] })[0]?.quality).toBe('GoodLocalOverride');
  });

  test('replay a recording from CSV', async () => {
    const { tags, clock, reopen } = tagWorkspace({ clock: clockAtRampStart() });
    const csv =
      'time,value\n2025-06-01T06:00:00Z,Idle\n2025-06-01T06:00:10Z,"Running, fast"\n2025-06-01T06:00:30Z,Idle\n';
    const signal = { kind: 'csv', csv, loop: false, startAt: '2026-01-01T00:00:10Z' };
    await tags.definitions.save(machine(PATH, signal, 'String'));
    expect(tags.definitions.definition({ path: PATH }).settings).toEqual({
      signal: {
        kind: 'csv',
        loop: false,
        startAt: '2026-01-01T00:00:10Z',
        rows: [
          { at: 0, value: 'Idle' },
          { at: 10_000, value: 'Running, fast' },
          { at: 30_000, value: 'Idle' },
        ],
      },
      noise: 0,
      updateMs: 1_000,
    });
    const seen: unknown[] = [];
    for (const ms of [0, 10_000, 10_000, 20_000, 1_000]) {
      clock.advance(ms);
      for (const service of [tags, reopen()]) {
        const { value, quality } = readOne(service, PATH);
        seen.push(`${JSON.stringify(value)}/${quality}`);
      }
    }
    expect(seen.filter((_, index) => index % 2 === 0)).toEqual(seen.filter((_, index) => index % 2 === 1));
    expect(seen.filter((_, index) => index % 2 === 0)).toEqual([
      'null/BadNoData',
      '"Idle"/Good',
      '"Running, fast"/Good',
      '"Idle"/Good',
      '"Idle"/UncertainLastUsableValue',
    ]);
  });

  test('have individual noise that survives a restart', async () => {
    const { tags, reopen } = tagWorkspace();
    const settings = { signal: { kind: 'constant', value: 50 }, noise: 2 };
    await tags.definitions.save(tagOf('Line1.Filler.Tank.Level', 'machine', 'Double', settings));
    await tags.definitions.save(tagOf('Line2.Filler.Tank.Level', 'machine', 'Double', settings));
    const paths = ['Line1.Filler.Tank.Level', 'Line2.Filler.Tank.Level'];
    const [one, two] = readNow(tags, { paths });
    expect(one?.value).not.toBe(two?.value);
    expect(reopen().get({ paths })).toEqual([one, two]);
  });
});
