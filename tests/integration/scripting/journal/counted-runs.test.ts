import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { Why } from '#domain/run/why';
import { createLog } from '../../../../src-main/platform/log.ts';
import { openWorkbench } from '../../../../src-main/workbench.ts';
import { commandLine } from '../../../support/product/command-line.ts';
import { builtProduct, ROOT } from '../../../support/product/product.ts';
import { sharedFolder, temporaryFolder } from '../../../support/temp-folder.ts';

const folder = sharedFolder();
const workspace = join(folder, 'plant');
const STORED = 'Plant.Line.Level.Value';
const TWICE = 'Plant.Line.Twice.Value';
const WRITING = 'Plant.Line.Writing.Value';
const FAILING = 'Plant.Line.Failing.Value';

const SCRIPTS = {
  'Line/Twice': `const level = TagValueManager.Get(['${STORED}']).Value[0].Value;\nconsole.log('read', level);\nreturn 2 * level;`,
  'Line/Writing': `TagValueManager.Set([{ tag: '${STORED}', value: 21 }]);\nreturn 1;`,
  'Line/Failing': "throw new Error('no level');",
};

async function command(args: string[], stdin = ''): Promise<string> {
  const ended = await commandLine([...args, '-w', workspace], { stdin });
  expect({ args, code: ended.code, err: ended.code === 0 ? '' : ended.err }).toEqual({ args, code: 0, err: '' });
  return ended.out;
}

const why = async (thing: string): Promise<Why> => JSON.parse(await command(['why', thing, '--json']));

beforeAll(builtProduct, 180_000);
beforeAll(async () => {
  await commandLine(['workspaces', 'new', workspace, '--empty']);
  for (const [name, body] of Object.entries(SCRIPTS)) await command(['scripts', 'save', name, '-'], body);
  const scripted = (path: string, readScript: string) => ({ path, kind: 'script', settings: { readScript } });
  const tags = [
    { path: STORED, kind: 'storage', settings: {} },
    scripted(TWICE, 'Line/Twice'),
    scripted(WRITING, 'Line/Writing'),
    scripted(FAILING, 'Line/Failing'),
  ].map((tag) => ({ ...tag, type: 'Double', description: '', unit: '' }));
  const file = join(folder, 'tags.json');
  writeFileSync(file, JSON.stringify(tags));
  await command(['tags', 'import', file]);
  await command(['tags', 'set', `${STORED}=21`]);
});

test('runs that changed nothing explain a value, with one that replays', async () => {
  for (let n = 0; n < 3; n += 1) await command(['tags', 'get', TWICE]);
  const { causes, problem } = await why(TWICE);
  expect(problem).toBeNull();
  const [line, ...others] = causes;
  // A test that runs over a full hour has two entries.
  expect(others.every(({ kind }) => kind === 'count' || kind === 'define')).toBe(true);
  expect(line).toMatchObject({
    kind: 'count',
    action: expect.stringContaining('of Line/Twice (version 1) from 20'),
    actor: 'a read of the tag',
    tag: TWICE,
    script: { name: 'Line/Twice', version: 1 },
    count: { failed: 0, meanMs: expect.any(Number) },
  });
  const counted = causes.flatMap(({ count }) => (count ? [count.runs] : []));
  expect(counted.reduce((sum, runs) => sum + runs, 0)).toBe(3);
  const sample = line?.count?.sample ?? 0;
  expect(line?.thing).toBe(`run:${sample}`);
  expect(await command(['why', TWICE])).toContain(`; sample: run ${sample}  (a read of the tag; entry ${line?.entry})`);
  const shown = JSON.parse(await command(['journal', 'show', String(sample), '--json']));
  expect(shown.run).toMatchObject({
    full: true,
    report: { status: 'ok', result: 42, console: [{ text: 'read 21' }], reads: [{ path: STORED, value: 21, line: 1 }] },
  });
  const file = join(folder, 'sample.capsule.json');
  await command(['journal', 'capsule', String(sample), file]);
  expect(JSON.parse(readFileSync(file, 'utf8')).calls[0].values[0]).toMatchObject({ quality: 'Good', value: 21 });
  const replayed = JSON.parse((await commandLine(['replay', file, '--json'])).out);
  expect(replayed).toMatchObject({ comparison: { equal: true }, missing: null });
});

test('a run that changed something or failed is an entry', async () => {
  await command(['tags', 'get', WRITING]);
  await commandLine(['tags', 'get', FAILING, '-w', workspace]);
  const runs: { line: { action: string } }[] = JSON.parse(
    await command(['journal', 'list', '--kind', 'run', '--json']),
  );
  const actions = runs.map(({ line }) => line.action);
  expect(actions).toContain(`ran Line/Writing (version 1) as the read script of ${WRITING}`);
  expect(actions).toContain(`ran Line/Failing (version 1) as the read script of ${FAILING}, which ended with error`);
  expect(await command(['journal', 'list', '--kind', 'count'])).not.toMatch(/Writing|Failing/);
});

test('counts are listed, searched and exported, and a cleared journal has none', async () => {
  const listed = JSON.parse(await command(['journal', 'list', '--tag', TWICE, '--text', 'changed nothing', '--json']));
  expect(listed[0]).toMatchObject({ kind: 'count', line: { count: { failed: 0 } } });
  const all = JSON.parse(await command(['journal', 'list', '--kind', 'count', '--json']));
  expect(all[0].line.action).toContain(`of Line/Twice (version 1) as the read script of ${TWICE} from 20`);
  expect(JSON.parse(await command(['journal', 'export', '--kind', 'count']))).toHaveLength(listed.length);
  await command(['journal', 'clear']);
  expect(JSON.parse(await command(['journal', 'list', '--json']))).toEqual([]);
  await command(['settings', 'set', 'journal.megabytes=0']);
  await command(['tags', 'get', TWICE]);
  expect(JSON.parse(await command(['journal', 'list', '--json']))).toEqual([]);
  await command(['settings', 'set', 'journal.megabytes=200']);
});

test('a condition that is not true, and a watch, are counted', async () => {
  const directory = join(temporaryFolder(), 'plant');
  const log = createLog({ write: () => undefined });
  const workbench = await openWorkbench({ directory, root: ROOT, createSample: false, eventsPort: 0, log });
  onTestFinished(() => workbench.close());
  const { tags, scripts, rules, journal } = workbench.services;
  const tag = { type: 'Double', description: '', unit: '' } as const;
  await scripts.save({ group: 'Line', name: 'Twice', description: '', body: SCRIPTS['Line/Twice'] });
  await tags.definitions.save({ ...tag, path: STORED, kind: 'storage', settings: { initial: 0 } });
  await tags.definitions.save({
    ...tag,
    path: TWICE,
    kind: 'script',
    settings: { readScript: 'Line/Twice', updateMs: 100 },
  });
  const { id } = await rules.save({
    name: 'Level',
    description: '',
    enabled: true,
    triggersEvents: true,
    tags: [STORED],
    sampling: { kind: 'onChange' },
    window: { kind: 'count', samples: 1 },
    outputs: [{ name: 'level', reducer: 'last', tag: STORED }],
    condition: 'level > 100',
  });
  const whyRule = async () => (await journal.why({ thing: { kind: 'rule', id } })).causes;
  let value = 0;
  await vi.waitFor(async () => {
    await tags.set({ items: [{ tag: STORED, value: (value += 1) % 100 }] });
    expect((await whyRule())[0]?.count?.runs).toBeGreaterThan(2);
  });
  const [condition] = await whyRule();
  expect(condition).toMatchObject({
    kind: 'count',
    action: expect.stringContaining('runs of the condition of Level from'),
    actor: 'its window closed',
    rule: { id, name: 'Level' },
  });
  const sample = await journal.get({ id: condition?.count?.sample ?? 0 });
  expect(sample).toMatchObject({
    line: { action: 'ran Rule.Level.Condition' },
    run: { full: true, report: { result: [false] } },
  });
  const ending = new AbortController();
  for await (const values of tags.watch({ paths: [TWICE], diagram: 'Overview' }, ending.signal)) {
    expect(values).toMatchObject([{ path: TWICE, quality: 'Good' }]);
    break;
  }
  ending.abort();
  const whyTag = async () => (await journal.why({ thing: { kind: 'tag', path: TWICE } })).causes;
  await vi.waitFor(async () => expect((await whyTag())[0]).toMatchObject({ actor: 'a watch of the tag' }));
  const [watched] = await whyTag();
  const { line } = await journal.get({ id: watched?.count?.sample ?? 0 });
  expect(line.action).toContain('scope Overview');
  await tags.set({ items: [{ tag: STORED, value: 101 }] });
  await vi.waitFor(async () => expect((await whyRule()).some(({ kind }) => kind === 'firing')).toBe(true));
});
