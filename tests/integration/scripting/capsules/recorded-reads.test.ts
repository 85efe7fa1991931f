import { afterEach, beforeEach, expect, test } from 'vitest';
import { wholeArgument } from '../../../../src-main/platform/long-texts/text-in-parts.ts';
import type { RecordedCall } from '#domain/run/capsule';
import { readCapsule } from '../../../../src-main/scripting/capsules/capsule-file.ts';
import { CapsuleRecorder } from '../../../../src-main/scripting/capsules/capsule-recorder.ts';
import { replayCapsule } from '../../../../src-main/scripting/capsules/replay-capsule.ts';
import { RunTree } from '../../../../src-main/scripting/runs/run-tree.ts';
import { untilOneLoops } from '../../../support/product/processes.ts';
import { scriptPlant, type ScriptPlant } from '../../plant/tags/script-plant.ts';

let plant: ScriptPlant;
const TAGS = Array.from({ length: 10 }, (_, index) => `Plant.Line.T${index}.Value`);
const context = { tagName: 'Plant.Outer.Value', tagScopeDiagram: null, tagScopeLocation: null };
const version = 'test';

beforeEach(async () => {
  plant = await scriptPlant();
  for (const [index, path] of TAGS.entries()) await plant.tag(path, 'storage', 'Double', { initial: index });
  await plant.tags.set({ items: [{ tag: 'Plant.Line.T3.Value', value: 30 }] });
});
afterEach(() => plant.close());

/** Records runs, and counts the Gets that main was asked for, which were not sent ahead. */
function recorder() {
  const { tags, settings, hosts } = plant;
  let asked = 0;
  const parts = {
    tree: new RunTree({ runner: hosts, settings }),
    tags: {
      session: (options: Parameters<typeof tags.session>[0]) => {
        const session = tags.session(options);
        return {
          get: (...args: Parameters<typeof session.get>) => {
            asked += 1;
            return session.get(...args);
          },
          set: (...args: Parameters<typeof session.set>) => session.set(...args),
          inMemory: (...args: Parameters<typeof session.inMemory>) => session.inMemory(...args),
        };
      },
      kindOf: (path: string) => tags.kindOf(path),
      timesOf: (...args: Parameters<typeof tags.timesOf>) => tags.timesOf(...args),
    },
    settings,
    secrets: () => [],
    maskOf: () => null,
    version,
  };
  const capsules = new CapsuleRecorder(parts);
  return async (body: string, signal?: AbortSignal) => {
    asked = 0;
    const { report, capsule: text, problem } = await capsules.record({ body, context, dryRun: false }, signal);
    expect(problem).toBeNull();
    const read = readCapsule(Buffer.from(text ?? ''));
    return { report, read, capsule: read.capsule, asked };
  };
}

const replayed = (read: ReturnType<typeof readCapsule>, edited: string | null = null) =>
  replayCapsule(read, edited, { runner: plant.hosts, maskArguments: (_, args) => args.map(wholeArgument), version });

const pathOf = (call: RecordedCall) => (call.kind === 'get' ? call.values?.map(({ path }) => path).join() : call.kind);

test('a recorded run reads ahead, and its capsule has every read in its place', async () => {
  const record = recorder();
  const body = `const seen = [];
for (const path of ${JSON.stringify(TAGS)}) {
  seen.push(TagValueManager.Get([path]).Value[0].Value);
  if (path.includes('T6')) seen.push(Date.now(), Math.random());
}
TagValueManager.Set([{ tag: '${TAGS[0]}', value: 0 }]);
seen.push(TagValueManager.Get(['${TAGS[0]}']).Value[0].Value, Date.now());
return seen;`;
  let least = Infinity;
  for (let round = 0; round < 12; round += 1) {
    const { report, read, capsule, asked } = await record(body);
    least = Math.min(least, asked);
    expect(report).toMatchObject({ status: 'ok' });
    expect(capsule.calls.map(pathOf)).toEqual([...TAGS, 'set', TAGS[0]]);
    expect(capsule.calls.map(({ call }) => call)).toEqual(Array.from({ length: 12 }, (_, index) => index + 1));
    expect(capsule.calls.map(({ line }) => line)).toEqual([...Array.from({ length: 10 }, () => 3), 6, 7]);
    expect(capsule.calls.map(({ clock }) => clock)).toEqual([0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1]);
    const times = capsule.calls.map((call) => (call.kind === 'get' ? call.values?.[0]?.changedAt : null));
    expect(times[3]).toMatch(/^20\d\d-/);
    expect(times[4]).toBeUndefined();
    const again = await replayed(read);
    expect(again.missing).toBeNull();
    expect(again.comparison).toMatchObject({ equal: true });
    expect(again.report.result).toEqual(report.result);
  }
  // Those of a busy machine may come too late to be used.
  expect(least).toBeLessThan(11);
});

test('a run that is cancelled has the reads that it may have made', async () => {
  await plant.settings.update({ 'limits.scriptMs': 60_000 });
  const record = recorder();
  const body = `const seen = [];
for (const path of ${JSON.stringify(TAGS.slice(0, 4))}) seen.push(TagValueManager.Get([path]).Value[0].Value);
if (seen[0] === 1) for (;;);
return seen;`;
  for (let round = 0; round < 6; round += 1) await record(body);
  await plant.tags.set({ items: [{ tag: TAGS[0] ?? '', value: 1 }] });
  const end = new AbortController();
  void untilOneLoops(process.pid).then(() => end.abort());
  const { report, read, capsule } = await record(body, end.signal);
  expect(report.status).toBe('cancelled');
  expect(capsule.calls.map(pathOf)).toEqual(TAGS.slice(0, 4));
  // It has all it needs to get as far.
  const limited = { ...read, capsule: { ...capsule, limits: { ...capsule.limits, scriptMs: 2_000 } } };
  const again = await replayed(limited);
  expect(again.missing).toBeNull();
  expect(again.report.status).toBe('timeout');
});

test('the calls of a replay have the same answers and times in another order', async () => {
  const bodyOf = (order: readonly string[]) => `const seen = {};
for (const path of ${JSON.stringify(order)}) {
  seen[path] = TagValueManager.Get([path]).Value[0].Value;
  seen[path] += ' at ' + Date.now();
  for (let sum = 0; sum < 100_000; sum += 1);
}
TagValueManager.Set([{ tag: '${TAGS[0]}', value: 7 }]);
return [seen, TagValueManager.Get(['${TAGS[0]}']).Value[0].Value, Date.now()];`;
  const { report, read } = await recorder()(bodyOf(TAGS));
  const same = await replayed(read);
  expect([same.missing, same.report.result]).toEqual([null, report.result]);
  expect(same.report.reads.map(({ path, line }) => [path, line])).toEqual(
    report.reads.map(({ path }, at) => [path, at < TAGS.length ? 3 : 8]),
  );
  // A read is at the time of its recorded one, or later: the replayed clock never goes back.
  const [first = '', second = '', ...others] = TAGS;
  const swapped = await replayed(read, bodyOf([second, first, ...others]));
  expect(swapped.missing).toBeNull();
  const valuesOf = ({ reads }: typeof report) =>
    reads.map(({ path, value }) => JSON.stringify([path, value])).toSorted();
  expect(valuesOf(swapped.report)).toEqual(valuesOf(report));
  const fewer = await replayed(read, bodyOf(others));
  const [seen, value, end] = JSON.parse(JSON.stringify(report.result));
  delete seen[first];
  delete seen[second];
  expect([fewer.missing, fewer.report.result]).toEqual([null, [seen, value, end]]);
});
