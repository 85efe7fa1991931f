import { describe, expect, test } from 'vitest';
import { FakeClock } from '../../../support/fake-clock.ts';
import { createKinds } from '../../../../src-main/plant/tags/kinds/index.ts';
import { scriptedKind } from '../database/plant-workspace.ts';
import { machine, storage, tagOf, tagWorkspace } from './tag-workspace.ts';

const START = '2026-01-01T00:00:00.000Z';
const at = (ms: number) => new Date(Date.parse(START) + ms).toISOString();

/** Tags with a script kind that returns `shown.value`. */
function workspace() {
  const shown = { value: 1 as number | string };
  const made = tagWorkspace({
    clock: new FakeClock(START),
    kinds: (parts) => [...createKinds(parts), scriptedKind({ onRead: () => shown.value })],
  });
  const timeOf = async (path: string, scope: { diagram?: string; location?: string } = {}, tags = made.tags) =>
    (await tags.get({ paths: [path], times: true, ...scope }))[0]?.changedAt;
  return { ...made, shown, timeOf };
}

describe('the time of the last change', () => {
  test('is only part of a value if it is requested', async () => {
    const { tags } = workspace();
    await tags.definitions.save(storage('Time.A.Value', 'Int'));
    await tags.set({ items: [{ tag: 'Time.A.Value', value: 1 }] });
    expect(await tags.get({ paths: ['Time.A.Value'] })).toEqual([
      { path: 'Time.A.Value', value: 1, quality: 'Good', type: 'Int' },
    ]);
  });

  test('of a storage tag is when its value was written, in each scope', async () => {
    const { tags, clock, timeOf, reopen } = workspace();
    await tags.definitions.save(storage('Time.A.Value', 'Int', { initial: 5 }));
    expect(await timeOf('Time.A.Value')).toBe(undefined);
    clock.advance(1_000);
    await tags.set({ items: [{ tag: 'Time.A.Value', value: 1 }] });
    clock.advance(1_000);
    await tags.set({ items: [{ tag: 'Time.A.Value', value: 2 }], diagram: 'D', location: 'L' });
    clock.advance(1_000);
    for (const service of [tags, reopen()]) {
      expect(await timeOf('Time.A.Value', {}, service)).toBe(at(1_000));
      expect(await timeOf('Time.A.Value', { diagram: 'D', location: 'L' }, service)).toBe(at(2_000));
      expect(await timeOf('Time.A.Value', { diagram: 'D' }, service)).toBe(at(1_000));
    }
  });

  test('of a machine tag is when its signal changed, or its override or forced quality', async () => {
    const { tags, clock, timeOf, reopen } = workspace();
    await tags.definitions.save(machine('Time.Ramp.Value', { kind: 'ramp', min: 0, max: 100, periodMs: 100_000 }));
    await tags.definitions.save(machine('Time.Constant.Value', { kind: 'constant', value: 1 }));
    clock.advance(5_700);
    expect(await timeOf('Time.Ramp.Value')).toBe(at(5_000));
    expect(await timeOf('Time.Constant.Value')).toBe(undefined);
    await tags.set({ items: [{ tag: 'Time.Ramp.Value', value: 7 }] });
    clock.advance(5_000);
    for (const service of [tags, reopen()]) expect(await timeOf('Time.Ramp.Value', {}, service)).toBe(at(5_700));
    await tags.force({ path: 'Time.Ramp.Value', quality: 'BadNotConnected' });
    clock.advance(5_000);
    for (const service of [tags, reopen()]) expect(await timeOf('Time.Ramp.Value', {}, service)).toBe(at(10_700));
    await tags.release({ paths: ['Time.Ramp.Value'] });
    await tags.force({ path: 'Time.Ramp.Value', quality: null });
    for (const service of [tags, reopen()]) expect(await timeOf('Time.Ramp.Value', {}, service)).toBe(at(15_700));
    clock.advance(100);
    // Nothing to release, nothing to clear.
    await tags.release({ paths: ['Time.Ramp.Value'] });
    await tags.force({ path: 'Time.Ramp.Value', quality: null });
    for (const service of [tags, reopen()]) expect(await timeOf('Time.Ramp.Value', {}, service)).toBe(at(15_700));
    clock.advance(300);
    expect(await timeOf('Time.Ramp.Value')).toBe(at(16_000));
  });

  test('of an ERP tag is when its last record was sent', async () => {
    const { tags, clock, timeOf } = workspace();
    await tags.definitions.save(tagOf('Time.Erp.Record', 'erp', 'Json'));
    expect(await timeOf('Time.Erp.Record')).toBe(undefined);
    clock.advance(1_000);
    await tags.set({ items: [{ tag: 'Time.Erp.Record', value: { n: 1 } }] });
    clock.advance(1_000);
    expect(await timeOf('Time.Erp.Record')).toBe(at(1_000));
  });

  test('of other tags is the first different read, or the commit before it', async () => {
    const { tags, clock, timeOf, shown } = workspace();
    await tags.definitions.save(tagOf('Time.Script.Value', 'script', 'Json'));
    expect(await timeOf('Time.Script.Value')).toBe(at(0));
    clock.advance(1_000);
    expect(await timeOf('Time.Script.Value')).toBe(at(0));
    shown.value = 'x'.repeat(1_000);
    expect(await timeOf('Time.Script.Value')).toBe(at(1_000));
    expect(await timeOf('Time.Script.Value', { diagram: 'D' })).toBe(at(1_000));
    clock.advance(1_000);
    await tags.set({ items: [{ tag: 'Time.Script.Value', value: 1 }] });
    clock.advance(1_000);
    expect(await timeOf('Time.Script.Value')).toBe(at(1_000));
    await tags.set({ items: [{ tag: 'Time.Script.Value', value: 1 }] });
    shown.value = 3;
    clock.advance(1_000);
    expect(await timeOf('Time.Script.Value')).toBe(at(3_000));
  });

  test('of a calculation is the newest of its inputs', async () => {
    const { tags, clock, timeOf } = workspace();
    for (const name of ['A', 'B', 'Never']) await tags.definitions.save(storage(`Time.${name}.Value`, 'Int'));
    const calculation = (path: string, expression: string) =>
      tags.definitions.save(tagOf(path, 'calculation', 'Double', { expression }));
    await calculation('Time.Inner.Value', "tag('Time.A.Value') + tag('Time.Never.Value')");
    await calculation('Time.Sum.Value', "tag('Time.Inner.Value') + tag('Time.B.Value')");
    clock.advance(1_000);
    await tags.set({ items: [{ tag: 'Time.B.Value', value: 1 }] });
    clock.advance(1_000);
    await tags.set({ items: [{ tag: 'Time.A.Value', value: 1 }] });
    clock.advance(1_000);
    expect(await timeOf('Time.Sum.Value')).toBe(at(2_000));
    expect(await timeOf('Time.Inner.Value')).toBe(at(2_000));
  });

  test('is sent by a watch, and again when the same value is written', async () => {
    const { tags, clock } = workspace();
    await tags.definitions.save(storage('Time.A.Value', 'Int', { initial: 5 }));
    const stop = new AbortController();
    const watch = tags.watch({ paths: ['Time.A.Value'], times: true }, stop.signal);
    expect((await watch.next()).value).toEqual([{ path: 'Time.A.Value', value: 5, quality: 'Good', type: 'Int' }]);
    for (const ms of [1_000, 2_000]) {
      clock.advance(1_000);
      await tags.set({ items: [{ tag: 'Time.A.Value', value: 5 }] });
      expect((await watch.next()).value).toMatchObject([{ value: 5, changedAt: at(ms) }]);
    }
    stop.abort();
    await watch.next();
  });
});
