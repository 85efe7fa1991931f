import { resolve } from 'node:path';
import { tagsOfPart } from '#domain/tag/diagram';
import { expect, onTestFinished, test } from 'vitest';
import { mockRoute } from '#contract/texts/mock-route';
import { MOCK_LIMITS } from '#domain/mock/mock';
import { scriptTestText } from '#contract/texts/script-test-text';
import { EMPTY_CONTEXT } from '#domain/run/saved-context';
import { countsText, isUsed, TAG_USE_KINDS } from '#domain/tag/usage';
import { createLog } from '../../../../src-main/platform/log.ts';
import { openWorkbench } from '../../../../src-main/workbench.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';
import { thrownBy } from '../../../support/thrown-by.ts';
import { storage, tagOf } from '../../plant/tags/tag-workspace.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');
const SPEED = 'Line 1.Filler.Speed.Value';
const NEW = "Line 1.Filler.O'Speed.Value";

async function workbench(createSample: boolean) {
  const directory = temporaryFolder();
  const log = createLog({ level: 'error' });
  const open = () => openWorkbench({ directory, root: ROOT, createSample, oneShot: true, log });
  let opened = await open();
  onTestFinished(() => opened.close());
  const reopened = async () => {
    await opened.close();
    opened = await open();
    return opened.services;
  };
  return { services: opened.services, reopened };
}

/** A workspace in which every kind refers to the tag. */
async function usedEverywhere() {
  const { services, reopened } = await workbench(false);
  const { tagDefinitions, scripts, runContexts, rules, diagrams, scriptTests, mocks } = services;
  await tagDefinitions.save(storage(SPEED, 'Double', { initial: 5 }));
  await tagDefinitions.save(storage(`${SPEED}.More`, 'Double', { initial: 6 }));
  const body = `return TagValueManager.Get(['${SPEED}']).Value[0].Value;`;
  const fill = await scripts.save({ group: 'Line 1', name: 'Fill', description: '', body });
  const changedAt = '2026-08-01T06:00:00Z';
  const draft = { group: '', name: 'New', description: '', body: `f('${SPEED}')` };
  await scripts.putDraft({ ...draft, key: 'new-1', scriptId: null, baseVersion: 0, changedAt });
  const context = { ...EMPTY_CONTEXT, tagName: SPEED };
  await runContexts.keep({ id: fill.id, context, used: true });
  await runContexts.keep({ id: fill.id, context: { ...context, tagName: `${SPEED}.More` }, used: true });
  await tagDefinitions.save(tagOf('Line1.Twice.Value', 'calculation', 'Double', { expression: `2 * tag('${SPEED}')` }));
  await tagDefinitions.save(tagOf('Line1.Level.Value', 'script', 'Double', { readScript: 'Line 1/Fill' }));
  await rules.save({
    name: 'Speeds',
    description: '',
    enabled: true,
    triggersEvents: false,
    tags: [SPEED],
    sampling: { kind: 'onChange' },
    window: { kind: 'manual' },
    outputs: [{ name: 'Top', reducer: 'max', tag: SPEED }],
    condition: `Top !== '${SPEED}'`,
  });
  const part = { x: 0, y: 0, width: 96, height: 48 };
  await diagrams.save({
    name: 'Overview',
    width: 800,
    height: 400,
    parts: [
      { ...part, id: 'a', kind: 'value', label: 'Speed', tag: SPEED, value: null },
      { ...part, id: 'b', kind: 'lamp', label: '', tag: 'Line1.Level.Value', value: 1 },
      { ...part, id: 'c', kind: 'trend', label: '', tag: '', value: null, trend: { tags: [SPEED], spanMs: 60_000 } },
    ],
  });
  await scriptTests.save({
    ...scriptTestText().parse({
      name: 'Full',
      context: { tagName: SPEED, tagValue: { path: SPEED } },
      tags: [{ tag: SPEED, value: 7 }],
      mocks: [{ name: 'Order', request: { url: `https://erp.example/tags/${encodeURIComponent(SPEED)}` } }],
      expect: { error: `${SPEED}: no`, result: [SPEED], writes: [{ tag: SPEED, value: 7 }] },
    }),
    scriptId: fill.id,
  });
  await mocks.save(
    mockRoute().parse({
      name: 'Tag',
      request: { url: `https://erp.example/${SPEED}/${SPEED}.More`, body: { json: { tag: SPEED } } },
      answer: { body: { kind: 'text', text: `"${SPEED}" is full` } },
    }),
  );
  return { services, reopened, fill };
}

test('every kind of reference to a tag is found, counted and renamed', async () => {
  const { services, reopened, fill } = await usedEverywhere();
  const found = await services.usage.ofTag({ path: SPEED });
  expect(TAG_USE_KINDS.filter((kind) => found[kind].length === 0)).toEqual([]);
  expect(found).toMatchObject({
    contexts: [{ scriptId: fill.id, group: 'Line 1', name: 'Fill', count: 1 }],
    rules: [{ members: ['tags', 'outputs.Top', 'condition'] }],
    diagrams: [{ name: 'Overview', members: ['value "Speed"', 'trend'] }],
    tests: [
      {
        name: 'Full',
        group: 'Line 1',
        script: 'Fill',
        members: [
          'context.tagName',
          'context.tagValue',
          'tags',
          'mocks',
          'expect.error',
          'expect.result',
          'expect.writes',
        ],
      },
    ],
    mocks: [{ name: 'Tag', members: ['url', 'body', 'answer.body'] }],
  });
  expect(countsText(await services.usage.ofTags({ paths: [SPEED, 'Line1.Twice.Value'] }))).toBe(
    '1 script, 1 draft, 1 saved context, 1 rule, 1 Diagram, 1 test and 1 mock',
  );

  const versions = { fill: fill.version, page: services.diagrams.get({ name: 'Overview' }).version };
  const { left, ...renamed } = await services.usage.rename({ path: SPEED, newPath: NEW, updateScripts: true });
  expect(renamed).toEqual({
    scripts: [{ id: fill.id, group: 'Line 1', name: 'Fill', version: versions.fill + 1, literals: 1 }],
    contexts: ['Line 1/Fill'],
    tags: ['Line1.Twice.Value'],
    rules: ['Speeds'],
    diagrams: ['Overview'],
    tests: ['Line 1/Fill: Full'],
    mocks: ['Tag'],
  });
  expect(left.drafts).toHaveLength(1);
  expect(isUsed({ ...left, drafts: [] })).toBe(false);
  expect(services.rules.list()[0]?.condition).toBe(`Top !== 'Line 1.Filler.O\\'Speed.Value'`);

  for (const next of [() => services, reopened]) {
    const stored = await next();
    expect(await stored.usage.ofTag({ path: NEW })).toMatchObject({ ...found, drafts: [], scripts: [{}], tests: [{}] });
    expect(stored.diagrams.get({ name: 'Overview' })).toMatchObject({ version: versions.page + 1 });
    expect(stored.mocks.list().mocks[0]?.request.url).toBe(
      `https://erp.example/${encodeURIComponent(NEW)}/${SPEED}.More`,
    );
  }
});

test('a rename that one kind cannot follow changes nothing of any kind', async () => {
  const { services } = await usedEverywhere();
  // With a longer path, its URL is too long.
  const url = `https://erp.example/${SPEED}/`.padEnd(MOCK_LIMITS.url, 'x');
  await services.mocks.save(mockRoute().parse({ name: 'Long', request: { url } }));
  const before = await services.usage.ofTag({ path: SPEED });
  const error = await thrownBy(() =>
    services.usage.rename({ path: SPEED, newPath: `${SPEED}.Longer`, updateScripts: true }),
  );
  expect(error.code).toBe('BAD_REQUEST');
  expect(await services.usage.ofTag({ path: SPEED })).toEqual(before);
  expect(services.diagrams.get({ name: 'Overview' }).version).toBe(1);
});

test('where a script is used: tags that run it, what refers to them, its tests', async () => {
  const { services, fill } = await usedEverywhere();
  expect(await services.usage.ofScript({ id: fill.id })).toMatchObject({
    tags: [{ path: 'Line1.Level.Value', member: 'readScript' }],
    scripts: [],
    rules: [],
    diagrams: [{ name: 'Overview', members: ['lamp'] }],
    tests: [{ name: 'Full', group: 'Line 1', script: 'Fill' }],
  });
  const [rule] = services.rules.list();
  if (rule) await services.rules.save({ ...rule, tags: [...rule.tags, 'Line1.Level.Value'] });
  const reading = `return TagValueManager.Get(['Line1.Level.Value']).Value[0].Value;`;
  await services.scripts.save({ group: 'Line 1', name: 'Reads', description: '', body: reading });
  expect(await services.usage.ofScript({ id: fill.id })).toMatchObject({
    scripts: [{ name: 'Reads' }],
    rules: [{ name: rule?.name, members: ['tags'] }],
  });
});

test('a script saved again under its name is the script for all that refers to it', async () => {
  const { services, reopened } = await usedEverywhere();
  const { scripts, tags, tagDefinitions, rules, diagrams, scriptTests, runContexts, usage } = services;
  const level = 'Line1.Level.Value';
  await tagDefinitions.save(tagOf('Line1.Half.Value', 'calculation', 'Double', { expression: `tag('${level}') / 2` }));
  const [rule] = rules.list();
  if (rule) await rules.save({ ...rule, tags: [...rule.tags, level] });
  const { id } = scripts.get({ group: 'Line 1', name: 'Fill' });
  const values = async (from: typeof tags) =>
    (await from.get({ paths: [level, 'Line1.Half.Value'] })).map(({ value, quality }) => [value, quality]);
  const before = { uses: await usage.ofScript({ id }), tests: scriptTests.list(), contexts: runContexts.get({ id }) };
  expect(before.uses).toMatchObject({ tags: [{}], rules: [{}], diagrams: [{}], tests: [{}] });
  await scripts.delete({ id });
  expect(await values(tags)).toEqual([
    [null, 'BadConfigurationError'],
    [null, 'BadConfigurationError'],
  ]);
  const again = await scripts.save({ group: 'Line 1', name: 'FILL', description: '', body: 'return 8;' });
  expect(again).toMatchObject({ id, version: 2 });
  const good = [
    [8, 'Good'],
    [4, 'Good'],
  ];
  expect(await values(tags)).toEqual(good);
  expect(await usage.ofScript({ id })).toMatchObject({ ...before.uses, tests: [{ name: 'Full', script: 'FILL' }] });
  expect([scriptTests.list(), runContexts.get({ id })]).toEqual([before.tests, before.contexts]);
  expect(diagrams.get({ name: 'Overview' }).parts.some(({ tag }) => tag === level)).toBe(true);

  // Renamed to the name of a deleted one, another script is used in its place; its own tests stay.
  const other = await scripts.save({ group: 'Line 1', name: 'Other', description: '', body: 'return 6;' });
  await scripts.delete({ id });
  await scripts.save({ ...other, name: 'Fill' });
  expect(await values(tags)).toEqual([
    [6, 'Good'],
    [3, 'Good'],
  ]);
  expect((await usage.ofScript({ id: other.id })).tags).toMatchObject([{ path: level }]);
  expect(tagDefinitions.definition({ path: level }).settings).toMatchObject({ readScript: 'Line 1/Fill' });
  const later = await reopened();
  expect(await values(later.tags)).toEqual([
    [6, 'Good'],
    [3, 'Good'],
  ]);
});

test('after renames with references, Diagrams stay bound and tests pass', async () => {
  const { services } = await workbench(true);
  const { diagrams, scriptTests, usage, tags } = services;
  const paths = new Set(diagrams.all().flatMap(({ parts }) => parts.flatMap(tagsOfPart)));
  for (const one of scriptTests.list()) for (const { tag } of one.tags) paths.add(tag);
  for (const path of paths) {
    await usage.rename({ path, newPath: path.replace(/([^.]+)$/, 'Renamed.$1'), updateScripts: true });
    expect(isUsed({ ...(await usage.ofTag({ path })), drafts: [] }), path).toBe(false);
  }
  const shown = diagrams.all().flatMap(({ parts }) => parts.flatMap(tagsOfPart));
  expect((await tags.get({ paths: shown })).filter(({ quality }) => quality === 'BadNodeIdUnknown')).toEqual([]);
  for (const { id, name } of scriptTests.list()) {
    expect((await scriptTests.run({ id })).failures, name).toEqual([]);
  }
});
