import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunReport } from '#domain/run/run';
import { scriptPlant, type ScriptPlant } from './script-plant.ts';

let plant: ScriptPlant;
const TAGS = Array.from({ length: 10 }, (_, index) => `Plant.Line.T${index}.Value`);

beforeEach(async () => {
  plant = await scriptPlant();
  for (const [index, path] of TAGS.entries()) await plant.tag(path, 'storage', 'Double', { initial: index });
});
afterEach(() => plant.close());

const set = (path: string, value: number) => plant.tags.set({ items: [{ tag: path, value }] });
const withoutTimes = ({ reads, writes, console }: RunReport) => ({
  reads: reads.map((read) => ({ ...read, at: 0 })),
  writes: writes.map((write) => ({ ...write, at: 0 })),
  console: console.map((entry) => ({ ...entry, at: 0 })),
});

const ONE_BY_ONE = `let sum = 0;
for (const path of ${JSON.stringify(TAGS)}) {
  sum += TagValueManager.Get([path]).Value[0].Value;
  if (path.includes('T4')) console.log('half');
}
return sum;`;

test('a script that reads tags one by one has the same trace in every run', async () => {
  const first = await plant.run(ONE_BY_ONE);
  expect(first.result).toBe(45);
  for (let again = 0; again < 5; again += 1) {
    const later = await plant.run(ONE_BY_ONE);
    expect(later.result).toBe(45);
    expect(withoutTimes(later)).toEqual(withoutTimes(first));
    const at = later.reads.map((read) => read.at);
    expect(at).toEqual(at.toSorted((a, b) => a - b));
  }
});

test('every run has the values of its own time', async () => {
  for (let value = 0; value < 10; value += 1) {
    for (const path of TAGS) await set(path, value);
    expect((await plant.run(ONE_BY_ONE)).result).toBe(10 * value);
  }
});

test('a script sees what it has set, in every run', async () => {
  const [a = '', b = '', c = ''] = TAGS;
  const body = `const get = (path) => TagValueManager.Get([path]).Value[0].Value;
    const before = [get('${a}'), get('${b}'), get('${c}')];
    TagValueManager.Set([{ tag: '${b}', value: before[1] + 1 }]);
    return [before[1], get('${a}'), get('${b}'), get('${c}')];`;
  for (let run = 1; run < 6; run += 1) expect((await plant.run(body)).result).toEqual([run, 0, run + 1, 2]);
  const dry = await plant.run(body, { dryRun: true });
  expect(dry.result).toEqual([6, 0, 7, 2]);
  expect((await plant.run(body, { dryRun: true })).result).toEqual([6, 0, 7, 2]);
});

test('a script that waits for a change of several tags sees it', async () => {
  const [flag = '', other = '', third = ''] = TAGS;
  const body = `const get = (path) => TagValueManager.Get([path]).Value[0].Value;
    let last;
    do { last = [get('${flag}'), get('${other}'), get('${third}')]; } while (last[0] !== 7);
    return last;`;
  for (const value of [1, 2, 3]) {
    await set(flag, 0);
    const waiting = plant.run(body);
    await plant.tags.set({ items: [{ tag: other, value: 100 * value }] });
    await set(flag, 7);
    // The other tag was set before the flag: a script that sees the flag sees it too.
    expect((await waiting).result).toEqual([7, 100 * value, 2]);
  }
});

test('a script never sees a tag before the one that was set earlier', async () => {
  const [first = '', second = ''] = TAGS;
  const body = `const get = (path) => TagValueManager.Get([path]).Value[0].Value;
    const until = Date.now() + 300; let wrong = 0;
    while (Date.now() < until) { const later = get('${second}'); if (get('${first}') < later) wrong += 1; }
    return wrong;`;
  await set(first, 1);
  await set(second, 1);
  const reading = plant.run(body);
  const end = new AbortController();
  void reading.then(() => end.abort());
  for (let value = 2; !end.signal.aborted; value += 1) {
    await set(first, value);
    await set(second, value);
  }
  expect((await reading).result).toBe(0);
});

test('a value of a moving signal is that of the ms in which a script reads it', async () => {
  const periodMs = 86_400_000;
  await plant.tag('Plant.Line.Ramp.Value', 'machine', 'Double', {
    signal: { kind: 'ramp', min: 0, max: periodMs, periodMs },
    updateMs: 1,
  });
  // The signal is ahead of the clock by a constant: at least by `atLeast`, as no read is later than the clock after it,
  // and at most by `atMost`, as none may be earlier than the clock before it.
  const body = `const get = (path) => TagValueManager.Get([path]).Value[0].Value;
    const until = Date.now() + 300; let atLeast = -Infinity, atMost = Infinity;
    while (Date.now() < until) {
      get('${TAGS[0]}');
      const before = Date.now();
      const value = get('Plant.Line.Ramp.Value');
      atMost = Math.min(atMost, value - before);
      atLeast = Math.max(atLeast, value - Date.now());
    }
    return { atLeast, atMost };`;
  const { result } = await plant.run(body);
  const { atLeast, atMost } = result as { atLeast: number; atMost: number };
  expect(atMost).toBeGreaterThanOrEqual(atLeast);
});
