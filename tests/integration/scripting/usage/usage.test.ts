import { resolve } from 'node:path';
import { describe, expect, test, onTestFinished } from 'vitest';
import { mockRoute } from '#contract/texts/mock-route';
import type { Mock } from '#domain/mock/mock';
import { DEFAULT_SETTINGS } from '#domain/workspace/settings';
import type { TagDefinition } from '#domain/tag/tag';
import { DEFAULT_SCOPE } from '#domain/tag/scope';
import { isUsed } from '#domain/tag/usage';
import { RuleLibrary } from '../../../../src-main/events/rules/rule-library.ts';
import { ScriptLibrary } from '../../../../src-main/scripting/scripts/script-library.ts';
import { openWorkspaceStore } from '../../../../src-main/storage/workspace/workspace-store.ts';
import { UsageService } from '../../../../src-main/scripting/usage/usage-service.ts';
import { createLog } from '../../../../src-main/platform/log.ts';
import { openWorkbench } from '../../../../src-main/workbench.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';
import { thrownBy } from '../../../support/thrown-by.ts';
import { readOne, storage, tagOf } from '../../plant/tags/tag-workspace.ts';
import { tagsOver } from '../../../support/services/wired-tags.ts';
import { cpuMsOf } from '../../../support/cpu-time.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');
const SPEED = 'Line1.Filler.Speed.Value';
const RUNS = 'Line1.Filler.Runs.Value';
const NEW = "Line1.Filler.O'Speed.Value";

function workspace() {
  const directory = temporaryFolder();
  const store = openWorkspaceStore(directory);
  const scripts = new ScriptLibrary(store);
  const { tags, reopen: open, logged } = tagsOver(store, { library: scripts });
  const rules = new RuleLibrary(store, (path) => tags.definitions.definition({ path }));
  const mocks: Mock[] = [];
  const settings = { ...DEFAULT_SETTINGS };
  const usage = new UsageService({
    tags: tags.definitions,
    rules,
    scripts,
    stored: store.scripts,
    contexts: { all: () => [], rewrite: () => [] },
    diagrams: { all: () => [], rewrite: () => [] },
    tests: { list: () => [], rewrite: () => [] },
    mocks: { list: () => ({ mocks }), rewrite: () => [] },
    settings: { get: () => settings },
  });
  onTestFinished(() => {
    tags.close();
    store.close();
  });
  const script = (name: string, body: string) => scripts.save({ group: 'Line 1', name, description: '', body });
  return { store, tags, rules, scripts, usage, script, logged, open, mocks, settings };
}

const NOTHING_RENAMED = { scripts: [], contexts: [], tags: [], rules: [], diagrams: [], tests: [], mocks: [] };

const calculation = (path: string, expression: string): TagDefinition =>
  tagOf(path, 'calculation', 'Double', { expression });

async function plant() {
  const made = workspace();
  await made.tags.definitions.save(storage(SPEED, 'Double', { initial: 5 }));
  const fill = await made.script(
    'Fill',
    `return TagValueManager.Get(['${SPEED}', "${SPEED}"])\n  .Value[0].Value + \`${SPEED}\`;`,
  );
  const broken = await made.script('Broken', `return '${SPEED}`.concat(`';;; '${SPEED}' ) `));
  await made.script('Other', `return '${SPEED}.More'; // '${SPEED}'`);
  await made.tags.definitions.save(calculation('Line1.Filler.PerHour.Value', `60 * tag('${SPEED}')`));
  await made.tags.definitions.save(
    tagOf('Line1.Filler.Level.Value', 'script', 'Double', { readScript: 'Line 1/Fill' }),
  );
  await made.tags.definitions.save(storage(RUNS, 'Boolean', { initial: true }));
  const rule = await made.rules.save({
    name: 'Speeds',
    description: '',
    enabled: true,
    triggersEvents: false,
    tags: [SPEED, RUNS],
    sampling: { kind: 'onChange' },
    window: { kind: 'while', tag: RUNS },
    outputs: [
      { name: 'Average', reducer: 'avg', tag: SPEED },
      { name: 'Top', reducer: 'max', tag: SPEED },
      { name: 'Running', reducer: 'last', tag: RUNS },
    ],
    condition: '',
  });
  return { ...made, fill, broken, rule };
}

test('where a secret is used: scripts and drafts with the position, mocks, settings', async () => {
  const { usage, scripts, script, mocks, settings } = workspace();
  const order = await script(
    'Order',
    "const url = 'https://erp.example/a';\nreturn f(url, '{{secret:ERP_KEY}}{{secret:OTHER}}',\n  `Bearer {{ secret: ERP_KEY }}`);",
  );
  await script('Encoded', "f('https://erp.example/?key=%7B%7Bsecret%3AERP_KEY%7D%7D')");
  await script('Broken', 'const = {{secret:ERP_KEY}}');
  await script('Others', "f('{{secret:erp_key}}', '{{secret:ERP_KEY_2}}', 'secret:ERP_KEY', 'ERP_KEY')");
  const key = 'new-1';
  const changedAt = '2026-08-01T06:00:00Z';
  const draft = { group: '', name: 'New', description: '', body: "\n\nf('{{secret:ERP_KEY}}')" };
  await scripts.putDraft({ ...draft, key, scriptId: null, baseVersion: 0, changedAt });
  const mock = (id: number, given: object): Mock => ({
    ...mockRoute().parse({ name: `Mock ${id}`, request: { url: 'https://erp.example/*' }, ...given }),
    id,
    hits: 0,
    lastHitAt: null,
    position: 0,
  });
  mocks.push(
    mock(1, { request: { url: 'https://erp.example/{{secret:ERP_KEY}}', headers: [['key', '{{secret:ERP_KEY}}']] } }),
    mock(2, { request: { url: 'https://erp.example/', body: { json: { a: [1, { key: '{{secret:ERP_KEY}}' }] } } } }),
    mock(3, { answer: { body: { kind: 'text', text: 'take {{secret:ERP_KEY}}' } } }),
    mock(4, { answer: { body: { kind: 'base64', base64: btoa('{{secret:ERP_KEY}}') } } }),
  );
  settings['api.proxy'] = 'http://me:{{secret:ERP_KEY}}@proxy:3128';

  const found = await usage.ofSecret({ name: 'ERP_KEY' });
  expect(
    found.scripts.map(({ name, places }) => [name, ...places.map(({ line, column }) => `${line}:${column}`)]),
  ).toEqual([
    ['Broken', '1:9'],
    ['Encoded', '1:29'],
    ['Order', '2:16', '3:11'],
  ]);
  expect(found.scripts.at(-1)).toMatchObject({ id: order.id, group: 'Line 1', version: 1 });
  expect(found.drafts).toEqual([{ key, scriptId: null, group: '', name: 'New', places: [{ line: 3, column: 4 }] }]);
  expect(found.mocks).toEqual([
    { id: 1, name: 'Mock 1', members: ['url', 'headers'] },
    { id: 2, name: 'Mock 2', members: ['body'] },
    { id: 3, name: 'Mock 3', members: ['answer.body'] },
  ]);
  expect(found.settings).toEqual(['api.proxy']);

  await scripts.save({ ...order, body: 'return 1;', baseVersion: order.version });
  expect((await usage.ofSecret({ name: 'ERP_KEY' })).scripts.map(({ name }) => name)).toEqual(['Broken', 'Encoded']);
  expect(await usage.ofSecret({ name: 'NO' })).toEqual({ scripts: [], drafts: [], mocks: [], settings: [] });
});

describe('where used', () => {
  test('lists scripts with line and column, drafts, and tags whose settings refer to it', async () => {
    const { usage, scripts, fill, broken } = await plant();
    const draft = { group: '', name: 'New', description: '', body: `f('${SPEED}'` };
    await scripts.putDraft({
      ...draft,
      key: 'new-1',
      scriptId: null,
      baseVersion: 0,
      changedAt: '2026-08-01T06:00:00Z',
    });
    expect(await usage.ofTag({ path: SPEED })).toEqual({
      scripts: [
        {
          id: broken.id,
          group: 'Line 1',
          name: 'Broken',
          version: 1,
          exact: false,
          places: [
            { line: 1, column: 8 },
            { line: 1, column: 38 },
          ],
        },
        {
          id: fill.id,
          group: 'Line 1',
          name: 'Fill',
          version: 1,
          exact: true,
          places: [
            { line: 1, column: 29 },
            { line: 1, column: 57 },
            { line: 2, column: 21 },
          ],
        },
      ],
      drafts: [
        { key: 'new-1', scriptId: null, group: '', name: 'New', exact: false, places: [{ line: 1, column: 3 }] },
      ],
      tags: [{ path: 'Line1.Filler.PerHour.Value', kind: 'calculation', member: 'expression', line: 1, column: 10 }],
      rules: [{ id: 1, name: 'Speeds', members: ['tags', 'outputs.Average', 'outputs.Top'] }],
      contexts: [],
      diagrams: [],
      tests: [],
      mocks: [],
    });
    expect(isUsed(await usage.ofTag({ path: 'No.Such.Tag' }))).toBe(false);
    expect(await usage.ofScript({ id: fill.id })).toEqual({
      tags: [{ path: 'Line1.Filler.Level.Value', kind: 'script', member: 'readScript', line: null, column: null }],
      scripts: [],
      rules: [],
      diagrams: [],
      tests: [],
    });
    expect(await usage.ofScript({ id: broken.id })).toEqual({
      tags: [],
      scripts: [],
      rules: [],
      diagrams: [],
      tests: [],
    });
  });

  test('is updated on saves, deletes and restores', async () => {
    const { usage, scripts, fill, broken } = await plant();
    const naming = async () => (await usage.ofTag({ path: SPEED })).scripts.map(({ id, version }) => [id, version]);
    expect(await naming()).toEqual([
      [broken.id, 1],
      [fill.id, 1],
    ]);
    await scripts.save({ ...fill, body: 'return 1' });
    await scripts.delete({ id: broken.id });
    expect(await naming()).toEqual([]);
    await scripts.restore({ id: broken.id });
    await scripts.save({ ...fill, body: `return '${SPEED}'` });
    expect(await naming()).toEqual([
      [broken.id, 1],
      [fill.id, 3],
    ]);
  });

  test('is quick among 1,000 scripts', async () => {
    const { usage, script } = workspace();
    const body = Array.from(
      { length: 60 },
      (_, line) => `const v${line} = TagValueManager.Get(['Line1.M${line}.Speed.Value']).Value[0];`,
    ).join('\n');
    await Promise.all(Array.from({ length: 1_000 }, (_, n) => script(`Script ${n}`, `${body}\nreturn ${n};`)));
    expect((await usage.ofTag({ path: 'Line1.M7.Speed.Value' })).scripts).toHaveLength(1_000);
    const find = async () => expect((await usage.ofTag({ path: 'Line1.M8.Speed.Value' })).scripts).toHaveLength(1_000);
    expect(await cpuMsOf(find)).toBeLessThan(1_000);
  });
});

describe('rename', () => {
  test('keeps id and values, and changes scripts and settings only if requested', async () => {
    const { tags, usage, scripts, open, store } = await plant();
    await tags.set({ items: [{ tag: SPEED, value: 7 }] });
    await tags.set({ items: [{ tag: SPEED, value: 8 }], location: 'Hall 1' });
    const id = store.tags.byPath(SPEED)?.id;
    const before = await usage.ofTag({ path: SPEED });
    expect(await usage.rename({ path: SPEED, newPath: NEW, updateScripts: false })).toEqual({
      ...NOTHING_RENAMED,
      left: before,
    });
    for (const service of [tags, open()]) {
      expect(readOne(service, NEW)).toEqual({ path: NEW, value: 7, quality: 'Good', type: 'Double' });
      expect(readOne(service, NEW, { location: 'Hall 1' }).value).toBe(8);
      expect(readOne(service, SPEED).quality).toBe('BadNodeIdUnknown');
    }
    expect(store.tags.byPath(NEW)?.id).toBe(id);
    expect(scripts.list().scripts.every(({ version }) => version === 1)).toBe(true);
    await tags.set({ items: [{ tag: NEW, value: 9 }] });
    expect(readOne(tags, NEW).value).toBe(9);
  });

  test('changes literals of scripts in new versions, and settings, but no drafts', async () => {
    const { usage, scripts, tags, fill, broken } = await plant();
    const draft = { key: `script-${fill.id}`, scriptId: fill.id, baseVersion: 1, changedAt: '2026-08-01T06:00:00Z' };
    await scripts.putDraft({ ...draft, group: 'Line 1', name: 'Fill', description: '', body: `return '${SPEED}'` });
    const notified: (number | null)[] = [];
    scripts.onChange(({ scriptId }) => notified.push(scriptId));
    const { left, ...done } = await usage.rename({ path: SPEED, newPath: NEW, updateScripts: true });
    expect(done).toEqual({
      ...NOTHING_RENAMED,
      scripts: [{ id: fill.id, group: 'Line 1', name: 'Fill', version: 2, literals: 3 }],
      tags: ['Line1.Filler.PerHour.Value'],
      rules: ['Speeds'],
    });
    expect(left.scripts.map(({ id, exact }) => [id, exact])).toEqual([[broken.id, false]]);
    expect(left.drafts).toMatchObject([{ key: draft.key, places: [{ line: 1, column: 8 }] }]);
    expect(left.tags).toEqual([]);
    expect(scripts.get({ id: fill.id }).body).toBe(
      `return TagValueManager.Get(['Line1.Filler.O\\'Speed.Value', "${NEW}"])\n  .Value[0].Value + \`${NEW}\`;`,
    );
    expect(scripts.versions({ id: fill.id }).map(({ version }) => version)).toEqual([2, 1]);
    expect(scripts.listDrafts()).toHaveLength(1);
    expect(notified).toEqual([fill.id]);
    expect(tags.definitions.definition({ path: 'Line1.Filler.PerHour.Value' }).settings['expression']).toBe(
      "60 * tag('Line1.Filler.O\\'Speed.Value')",
    );
  });

  test.each([
    ['Line1.Filler.PerHour.Value', 'CONFLICT', 'A tag "Line1.Filler.PerHour.Value" already exists'],
    ['Line1', 'BAD_REQUEST', 'at least three segments'],
    [SPEED, 'CONFLICT', 'already'],
  ])('to %j is rejected and changes nothing', async (newPath, code, message) => {
    const { usage, scripts, tags, logged } = await plant();
    const error = await thrownBy(() => usage.rename({ path: SPEED, newPath, updateScripts: true }));
    expect(error.code).toBe(code);
    expect(error.message).toContain(message);
    expect(scripts.list().scripts.every(({ version }) => version === 1)).toBe(true);
    expect(readOne(tags, SPEED).value).toBe(5);
    await tags.set({ items: [{ tag: SPEED, value: 6 }] });
    expect((await thrownBy(() => usage.rename({ path: 'No.Such.Tag', newPath: NEW, updateScripts: true }))).code).toBe(
      'NOT_FOUND',
    );
    expect(logged).toEqual([]);
  });

  test('is undone as a whole if a script would become too long', async () => {
    const { usage, scripts, script, tags } = await plant();
    const long = await script('Long', `return '${SPEED}' // ${'x'.repeat(1_048_576 - SPEED.length - 14)}`);
    const error = await thrownBy(() =>
      usage.rename({ path: SPEED, newPath: `${SPEED}.Much.Longer`, updateScripts: true }),
    );
    expect(error).toMatchObject({ code: 'BAD_REQUEST' });
    expect(scripts.list().scripts.every(({ version }) => version === 1)).toBe(true);
    expect(scripts.get({ id: long.id }).version).toBe(1);
    expect(readOne(tags, SPEED).value).toBe(5);
  });

  test('that would create a cycle of calculations is rejected', async () => {
    const { usage, tags } = workspace();
    await tags.definitions.save(calculation('A.A.A', "tag('X.X.X') + 1"));
    await tags.definitions.save(calculation('B.B.B', "tag('A.A.A') + 1"));
    const error = await thrownBy(() => usage.rename({ path: 'B.B.B', newPath: 'X.X.X', updateScripts: true }));
    expect(error.code).toBe('BAD_REQUEST');
    expect(tags.definitions.definition({ path: 'B.B.B' }).kind).toBe('calculation');
  });

  test('during a run: its next Get finds no such tag, and a pending Set is rejected', async () => {
    const { usage, tags } = await plant();
    const session = tags.session({ dryRun: false });
    const writing = session.set([{ tag: SPEED, value: 1 }], DEFAULT_SCOPE);
    const renaming = usage.rename({ path: SPEED, newPath: NEW, updateScripts: true });
    const ends = await Promise.allSettled([writing, renaming]);
    expect(ends[1]).toMatchObject({ status: 'fulfilled' });
    expect(await session.get([SPEED], DEFAULT_SCOPE)).toMatchObject([{ quality: 'BadNodeIdUnknown' }]);
    expect(readOne(tags, NEW).value).toBe(ends[0].status === 'fulfilled' ? 1 : 5);
  });
});

describe('rules', () => {
  test('rename tags in their sources, window and outputs, also in the file', async () => {
    const { usage, rules, rule, store, tags } = await plant();
    expect((await usage.ofTag({ path: RUNS })).rules).toEqual([
      { id: rule.id, name: 'Speeds', members: ['tags', 'window.tag', 'outputs.Running'] },
    ]);
    const notified: unknown[] = [];
    rules.onChange((change) => notified.push(change.rule?.tags));
    expect(await usage.rename({ path: RUNS, newPath: NEW, updateScripts: true })).toMatchObject({ rules: ['Speeds'] });
    const renamed = {
      tags: [SPEED, NEW],
      window: { kind: 'while', tag: NEW },
      outputs: [{ tag: SPEED }, { tag: SPEED }, { tag: NEW, name: 'Running', column: rule.outputs[2]?.column }],
      resultTable: rule.resultTable,
    };
    expect(notified).toEqual([[SPEED, NEW]]);
    for (const library of [rules, new RuleLibrary(store, (path) => tags.definitions.definition({ path }))]) {
      expect(library.get({ id: rule.id })).toMatchObject(renamed);
    }
  });

  test('stay unchanged if not requested, or if the rename is rejected', async () => {
    const { usage, rules, rule, tags } = await plant();
    await tags.definitions.save(storage(NEW, 'Boolean'));
    await thrownBy(() => usage.rename({ path: RUNS, newPath: NEW, updateScripts: true }));
    expect(rules.get({ id: rule.id })).toEqual(rule);
    const { left } = await usage.rename({ path: RUNS, newPath: 'Line1.Filler.Goes.Value', updateScripts: false });
    expect(rules.get({ id: rule.id })).toEqual(rule);
    expect(left.rules).toHaveLength(1);
  });

  test('sample the tag under its new path, and their open windows continue', async () => {
    const directory = temporaryFolder();
    const log = createLog({ level: 'error' });
    const workbench = await openWorkbench({ directory, root: ROOT, createSample: false, eventsPort: 0, log });
    try {
      const { tags, rules, usage } = workbench.services;
      await tags.definitions.save(storage(SPEED, 'Double', { initial: 1 }));
      const { id } = await rules.save({
        name: 'Speeds',
        description: '',
        enabled: true,
        triggersEvents: false,
        tags: [SPEED],
        sampling: { kind: 'onChange' },
        window: { kind: 'manual' },
        outputs: [{ name: 'Top', reducer: 'max', tag: SPEED }],
        condition: '',
      });
      const top = async () => {
        for await (const [state] of rules.state(new AbortController().signal)) return state?.window?.outputs[0];
        return undefined;
      };
      await tags.set({ items: [{ tag: SPEED, value: 50 }] });
      await expect.poll(top).toBe(50);
      await rules.storeSamples();
      await usage.rename({ path: SPEED, newPath: NEW, updateScripts: true });
      expect(await top()).toBe(50);
      await tags.set({ items: [{ tag: NEW, value: 70 }] });
      await expect.poll(top).toBe(70);
      expect(rules.get({ id }).tags).toEqual([NEW]);
    } finally {
      await workbench.close();
    }
  });
});
