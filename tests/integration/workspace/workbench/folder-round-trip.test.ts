import { execFileSync } from 'node:child_process';
import { renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createRouterClient } from '@orpc/server';
import { expect, test } from 'vitest';
import { mockRoute } from '#contract/texts/mock-route';
import { scriptTestText } from '#contract/texts/script-test-text';
import type { DiagramPart } from '#domain/tag/diagram';
import { EMPTY_CONTEXT } from '#domain/run/saved-context';
import type { Json } from '#domain/text/json';
import type { TagType } from '#domain/tag/tag';
import { applyFolder } from '../../../../src-main/exchange/apply-folder.ts';
import { checkFolder } from '../../../../src-main/exchange/check-folder.ts';
import { readFolder } from '../../../../src-main/exchange/read-folder.ts';
import { textOfWorkspace, writeFolder } from '../../../../src-main/exchange/write-folder.ts';
import type { InstanceClient } from '../../../../src-main/host/instance-client.ts';
import { messageOf, TagwrightError } from '../../../../src-main/platform/errors.ts';
import { createLog } from '../../../../src-main/platform/log.ts';
import { createRouter } from '../../../../src-main/rpc/router.ts';
import { openWorkbench } from '../../../../src-main/workbench.ts';
import { fc } from '../../../support/run/random.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';
import { tagOf } from '../../plant/tags/tag-workspace.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');

/** Runs work with a client of a workspace in this process, without the sample. */
async function inWorkspace<T>(directory: string, work: (client: InstanceClient) => Promise<T>): Promise<T> {
  const log = createLog({ level: 'error' });
  const workbench = await openWorkbench({ directory, root: ROOT, createSample: false, oneShot: true, log });
  try {
    return await work(createRouterClient(createRouter(workbench.services, (where) => expect.fail(where))));
  } finally {
    await workbench.close();
  }
}

const messageOfThrown = (work: Promise<unknown>): Promise<string> => work.then(() => 'no error', messageOf);

const textsOf = async (client: InstanceClient) => Object.fromEntries((await textOfWorkspace(client)).files);

/** Exports, imports into a new workspace, exports again: equal. A second import changes nothing. */
async function roundTrip(client: InstanceClient): Promise<{ texts: Record<string, string>; missing: string[] }> {
  const folder = join(temporaryFolder(), 'text');
  const { files, missing } = await textOfWorkspace(client);
  await writeFolder(folder, files);
  const given = await readFolder(folder);
  const texts = Object.fromEntries(files);
  await inWorkspace(temporaryFolder(), async (other) => {
    const imported = await applyFolder(other, given, false);
    // The name of a deleted script may belong to another one, which an import finds.
    expect(missing).toEqual(expect.arrayContaining(imported.missing));
    expect(await textsOf(other)).toEqual(texts);
    const again = await applyFolder(other, given, true);
    for (const [sort, { created, updated, deleted }] of Object.entries(again.report)) {
      if (sort !== 'values') expect([sort, created, updated, deleted]).toEqual([sort, 0, 0, 0]);
    }
    expect(await textsOf(other)).toEqual(texts);
  });
  return { texts, missing };
}

const PATHS = ['P.Line.A.Value', 'P.Line.B.Value', "P.Line 'x'.C", 'P.Line.D"', 'P.L.E'];
const NAMES = ['One', 'Two', 'Drei “ß”'];
const TYPES: readonly TagType[] = ['Double', 'Int', 'String', 'Boolean', 'Json'];
const ANY: Json[] = [1, 2.5, 'text', true, { a: [1] }];

/** One change of a workspace; numbers choose what it changes. Rejected changes are part of the test. */
const CHANGES: Record<string, (client: InstanceClient, a: number, b: number) => Promise<unknown>> = {
  storage: (client, a, b) => client.tags.save(tagOf(path(a), 'storage', type(b), {})),
  machine: (client, a) =>
    client.tags.save(tagOf(path(a), 'machine', 'Double', { signal: { kind: 'constant', value: 1 } })),
  calculation: (client, a, b) =>
    client.tags.save(tagOf(path(a), 'calculation', 'Double', { expression: `tag(${JSON.stringify(path(b))}) + 1` })),
  scriptTag: (client, a, b) => client.tags.save(tagOf(path(a), 'script', type(b), { readScript: `G/${name(b)}` })),
  value: (client, a, b) =>
    client.tags.set({ items: [{ tag: path(a), value: ANY[b % ANY.length] ?? null }], location: b % 2 ? 'Hall' : '' }),
  rename: (client, a, b) => client.tags.rename({ path: path(a), newPath: path(b), updateScripts: a % 2 === 0 }),
  deleteTag: (client, a) => client.tags.delete({ paths: [path(a)] }),
  script: (client, a, b) => client.scripts.save({ group: 'G', name: name(a), description: '', body: `'${path(b)}'` }),
  deleteScript: async (client, a) => client.scripts.delete({ id: await scriptId(client, a) }),
  renameGroup: (client, a) => client.groups.rename({ name: a % 2 ? 'G' : 'H', newName: a % 2 ? 'H' : 'G' }),
  context: async (client, a, b) => {
    const context = { ...EMPTY_CONTEXT, tagName: path(b) };
    return client.runContexts.keep({ id: await scriptId(client, a), context, used: true });
  },
  namedContext: async (client, a, b) => {
    const context = { ...EMPTY_CONTEXT, name: name(b), tagName: path(a) };
    return client.runContexts.save({ id: await scriptId(client, a), context, ...(b % 2 ? { before: name(a) } : {}) });
  },
  deleteContext: async (client, a, b) => client.runContexts.delete({ id: await scriptId(client, a), name: name(b) }),
  test: async (client, a, b) => {
    const tags = [{ tag: path(b), value: 1 }];
    const text = scriptTestText().parse({ name: name(b), tags, expect: { events: [{ rule: name(a), count: 1 }] } });
    return client.scriptTests.save({ ...text, scriptId: await scriptId(client, a) });
  },
  rule: (client, a, b) =>
    client.rules.save({
      name: name(a),
      description: '',
      enabled: b % 2 === 0,
      triggersEvents: false,
      tags: [path(b)],
      sampling: { kind: 'onChange' },
      window: b % 3 ? { kind: 'manual' } : { kind: 'while', tag: path(a) },
      outputs: [{ name: 'Last', reducer: 'last', tag: path(b) }],
      condition: b % 2 ? `Last !== ${JSON.stringify(path(a))}` : '',
    }),
  diagram: (client, a, b) => {
    const part = { id: 'a', x: 0, y: 0, width: 96, height: 48, label: '', value: null };
    const parts: DiagramPart[] = [
      { ...part, kind: 'value', tag: path(b) },
      { ...part, id: 'b', kind: 'trend', tag: '', trend: { tags: [...new Set([path(a), path(b)])], spanMs: 60_000 } },
      {
        ...part,
        id: 'c',
        kind: 'gauge',
        tag: path(b),
        gauge: { min: 0, max: b + 1, low: null, high: b % 2 ? b : null },
      },
    ];
    return client.diagrams.save({ name: name(a), width: 800, height: 400, parts });
  },
  mock: (client, a, b) => {
    const answers = b % 2 ? { sequence: { answers: [{ status: 500 }, { status: 200 }], end: 'repeat' } } : {};
    const given = { name: name(a), priority: b, request: { url: `https://a.example/${b}` }, ...answers };
    return client.mocks.save(mockRoute().parse(given));
  },
};

const path = (number: number): string => PATHS[number % PATHS.length] ?? '';
const name = (number: number): string => NAMES[number % NAMES.length] ?? '';
const type = (number: number): TagType => TYPES[number % TYPES.length] ?? 'Json';

async function scriptId(client: InstanceClient, number: number): Promise<number> {
  const { scripts } = await client.scripts.list();
  const script = scripts[number % Math.max(1, scripts.length)];
  if (!script) throw new TagwrightError('NOT_FOUND', 'There is no script yet.');
  return script.id;
}

test('every workspace that changes can lead to is imported and exported unchanged', async () => {
  const number = fc.nat({ max: 20 });
  const change = fc.tuple(fc.constantFrom(...Object.keys(CHANGES)), number, number);
  const property = fc.asyncProperty(fc.array(change, { minLength: 10, maxLength: 80 }), async (changes) => {
    await inWorkspace(temporaryFolder(), async (client) => {
      for (const [kind, a, b] of changes) {
        await CHANGES[kind]?.(client, a, b).catch((thrown: unknown) => {
          expect(thrown).toMatchObject({ code: expect.stringMatching(/^(?:BAD_REQUEST|NOT_FOUND|CONFLICT|WRITE_)/) });
        });
      }
      await roundTrip(client);
    });
  });
  await fc.assert(property, { numRuns: 25 });
});

test('missing names are kept and reported with file, item and field', async () => {
  await inWorkspace(temporaryFolder(), async (client) => {
    for (const tag of ['P.Line.A.Value', 'P.Line.B.Value']) {
      await client.tags.save(tagOf(tag, 'storage', 'Boolean', {}));
    }
    const script = await client.scripts.save({ group: 'G', name: 'Gone', description: '', body: 'return 1;' });
    const other = await client.scripts.save({ group: 'G', name: 'Stays', description: '', body: 'return 1;' });
    await client.tags.save(tagOf('P.Line.S.Value', 'script', 'Int', { readScript: 'G/Gone', writeScript: 'G/Stays' }));
    await CHANGES['rule']?.(client, 0, 0);
    await CHANGES['diagram']?.(client, 0, 0);
    const text = scriptTestText().parse({ name: 'T', tags: [{ tag: 'P.Line.A.Value', value: true }] });
    await client.scriptTests.save({ ...text, scriptId: other.id });
    const context = { tagName: 'P.Line.A.Value', diagram: '', location: '', valueMode: 'none', valueText: '' } as const;
    await client.runContexts.save({ id: other.id, context: { ...context, name: 'Of A' } });
    await client.runContexts.save({ id: other.id, context: { ...context, tagName: '', name: 'Of none' } });
    await client.runContexts.keep({ id: other.id, used: true, context: { ...context, tagName: 'P.Unfinished' } });
    await client.tags.rename({ path: 'P.Line.A.Value', newPath: 'P.Line.New.Value', updateScripts: false });
    await client.scripts.delete({ id: script.id });
    const { texts, missing } = await roundTrip(client);
    expect(missing).toEqual([
      'scripts/G/Stays.contexts.json: Of A, tagName: "P.Line.A.Value" does not exist',
      'tags.json: P.Line.S.Value, settings.readScript: "G/Gone" does not exist',
      ...['tags', 'window.tag', 'outputs.Last'].map(
        (field) => `rules.json: One, ${field}: "P.Line.A.Value" does not exist`,
      ),
      ...['value', 'trend', 'gauge'].map((kind) => `diagrams.json: One, ${kind}: "P.Line.A.Value" does not exist`),
      'scripts/G/Stays.tests.json: T, tags: "P.Line.A.Value" does not exist',
    ]);
    expect(texts['tags.json']).toContain('"readScript":"G/Gone","writeScript":"G/Stays"');
  });
});

test('a missing script of a tag is used as soon as there is one with its name', async () => {
  await inWorkspace(temporaryFolder(), async (client) => {
    const tag = tagOf('P.Line.S.Value', 'script', 'Int', { readScript: 'G/Later' });
    expect(await client.tags.import({ format: 'json', text: JSON.stringify([tag]) })).toMatchObject({
      created: 1,
      missing: [{ path: tag.path, member: 'settings.readScript', name: 'G/Later' }],
    });
    const read = async () => (await client.tags.get({ paths: [tag.path] }))[0];
    expect(await read()).toMatchObject({
      quality: 'BadConfigurationError',
      reason: 'its script "G/Later" does not exist',
    });
    const { id } = await client.scripts.save({ group: 'G', name: 'Later', description: '', body: 'return 7;' });
    expect(await read()).toMatchObject({ quality: 'Good', value: 7 });
    expect((await client.scripts.usage({ id })).tags).toMatchObject([{ path: tag.path, member: 'readScript' }]);
    // A name that is typed, and not imported, must exist.
    const typed = { ...tag, settings: { readScript: 'G/Never' } };
    expect(await messageOfThrown(client.tags.save(typed))).toContain('G/Never');
  });
});

test('errors name the file, the item and the field', async () => {
  await inWorkspace(temporaryFolder(), async (client) => {
    await client.tags.save(tagOf('P.Line.A.Value', 'storage', 'Double', {}));
    await CHANGES['rule']?.(client, 0, 1).catch(() => undefined);
    const { files } = await textOfWorkspace(client);
    const broken = async (file: string, content: unknown): Promise<string> => {
      const folder = join(temporaryFolder(), 'text');
      await writeFolder(folder, new Map([...files, [file, JSON.stringify(content)]]));
      return messageOfThrown(readFolder(folder).then((given) => applyFolder(client, given, false)));
    };
    const rule = { name: 'Speeds', description: '', enabled: true, triggersEvents: false, tags: ['P.Line.A.Value'] };
    const more = { sampling: { kind: 'onChange' }, window: { kind: 'manual' }, condition: '' };
    const output = { name: 'Top', reducer: 'max', tag: 'P.Other.B' };
    expect(await broken('rules.json', [{ ...rule, ...more, outputs: [output] }])).toMatch(
      /^"rules\.json" cannot be imported: rule "Speeds": .*outputs\.0\.tag: "P\.Other\.B" is not one of the rule's tags/,
    );
    expect(await broken('rules.json', [{ ...rule, ...more, outputs: [{ ...output, tag: 5 }] }])).toMatch(
      /^"rules\.json" cannot be imported: item 1, "Speeds", outputs\[0\]\.tag: must be text in quotes, not the number 5$/,
    );
    const part = { id: 'a', kind: 'value', x: 0, y: 0, width: 96, height: 48, label: '', tag: '', value: null };
    const page = { name: 'Page', width: 800, height: 400, parts: [part, { ...part, id: 'b', x: 780 }] };
    expect(await broken('diagrams.json', [page])).toMatch(
      /^"diagrams\.json" cannot be imported: Diagram "Page", parts\.1: /,
    );
    expect(await broken('tags.json', [tagOf('P.L.C', 'calculation', 'Double', { expression: '(' })])).toMatch(
      /^"tags\.json" cannot be imported: tag 1, P\.L\.C: settings\.expression: /,
    );
    const value = { tag: 'P.Line.A.Value', diagram: '', location: 'Hall', value: 'no number' };
    expect(await broken('values.json', [value])).toMatch(
      /^"values\.json" cannot be imported: scope Hall: .*P\.Line\.A\.Value.*no number/s,
    );
    expect(await broken('mocks.json', { mocks: [mockRoute().parse({ name: 'M', request: { url: 'a@b' } })] })).toMatch(
      /^"mocks\.json" cannot be imported: mock "M", request\.url: /,
    );
  });
});

test.runIf(process.platform !== 'win32')('a folder is read through links, but devices and pipes are not', async () => {
  const { files } = await inWorkspace(temporaryFolder(), textOfWorkspace);
  const folder = join(temporaryFolder(), 'text');
  await writeFolder(folder, files);
  const file = join(folder, 'tags.json');
  const elsewhere = join(temporaryFolder(), 'tags.json');
  renameSync(file, elsewhere);
  symlinkSync(elsewhere, file);
  expect((await readFolder(folder)).tags).toBe(files.get('tags.json'));
  for (const make of [() => symlinkSync('/dev/zero', file), () => execFileSync('mkfifo', [file])]) {
    rmSync(file);
    make();
    const message = await messageOfThrown(readFolder(folder));
    expect(message).toMatch(/^"tags\.json" cannot be imported: .* special file .*try again\.$/);
  }
  rmSync(file);
  writeFileSync(file, '');
  truncateSync(file, 600 * 1024 * 1024);
  expect(await messageOfThrown(readFolder(folder))).toBe(
    '"tags.json" cannot be imported: it has 629,145,600 bytes, and a file at most 536,870,912.',
  );
});

test('contexts without names of a former version are imported unchanged', async () => {
  await inWorkspace(temporaryFolder(), async (client) => {
    const saved = await client.scripts.save({ group: 'G', name: 'S', description: '', body: 'return 1' });
    await client.runContexts.save({ id: saved.id, context: { name: 'Mine', tagName: 'P.L.E' } });
    const folder = join(temporaryFolder(), 'text');
    const { files } = await textOfWorkspace(client);
    const former = [{ tagName: 'P.A.B', diagram: '', location: '', valueMode: 'none', valueText: '' }];
    await writeFolder(folder, new Map(files).set('scripts/G/S.contexts.json', JSON.stringify(former)));
    await applyFolder(client, await readFolder(folder), false);
    const { named, used } = await client.runContexts.get({ id: saved.id });
    expect([named.map((one) => one.name), used]).toEqual([['Mine'], former]);
    const twice = [{ name: 'One' }, { name: 'one' }];
    await writeFolder(folder, new Map(files).set('scripts/G/S.contexts.json', JSON.stringify(twice)));
    expect(await messageOfThrown(readFolder(folder))).toContain('two contexts have the same name, "One" and "one"');
    const many = Array.from({ length: 51 }, (_, index) => ({ name: `C${index}` }));
    await writeFolder(folder, new Map(files).set('scripts/G/S.contexts.json', JSON.stringify(many)));
    expect(await messageOfThrown(readFolder(folder).then((read) => checkFolder(client, read, false)))).toContain(
      '"scripts/G/S.contexts.json" cannot be imported: a script has at most 50 contexts with names, this one would have 52',
    );
    await writeFolder(folder, new Map(files).set('scripts/G/S.contexts.json', JSON.stringify(many.slice(0, 50))));
    const full = await readFolder(folder);
    expect(await messageOfThrown(checkFolder(client, full, false))).toContain('would have 51');
    expect(await messageOfThrown(checkFolder(client, full, true))).toBe('no error');
  });
});

test('counts with stored values and scopes are checked first', async () => {
  await inWorkspace(temporaryFolder(), async (client) => {
    const { id } = await client.scripts.save({ group: 'G', name: 'S', description: '', body: 'return 1;' });
    const empty = scriptTestText().parse({ name: 'x' });
    const testsOf = (prefix: string, count: number) =>
      Array.from({ length: count }, (_, index) => ({ ...empty, name: `${prefix}${index}` }));
    for (const text of testsOf('Old', 2)) await client.scriptTests.save({ ...text, scriptId: id });
    await client.runContexts.save({ id, context: { ...EMPTY_CONTEXT, name: 'Mine' } });
    await client.tags.save(tagOf('P.Line.A.Value', 'storage', 'Double', {}));
    const { files } = await textOfWorkspace(client);
    const tests = 'scripts/G/S.tests.json';
    const checked = async (file: string, content: unknown, mirror: boolean) => {
      const folder = join(temporaryFolder(), 'text');
      await writeFolder(folder, new Map([...files, [file, JSON.stringify(content)]]));
      const given = await readFolder(folder);
      return messageOfThrown(
        checkFolder(client, given, mirror).then(({ contexts }) => expect.fail(JSON.stringify(contexts))),
      );
    };
    expect(await checked(tests, testsOf('New', 999), false)).toBe(
      `"${tests}" cannot be imported: a script has at most 1000 tests, this one would have 1001`,
    );
    expect(await checked(tests, [...testsOf('New', 998), ...testsOf('OLD', 2)], false)).toBe('[]');
    expect(await checked(tests, testsOf('New', 1_000), true)).toBe('[]');
    const scoped = (scope: object) => [{ tag: 'P.Line.A.Value', diagram: '', location: '', value: 1, ...scope }];
    expect(await checked('values.json', scoped({ diagram: 'x'.repeat(5_000) }), false)).toBe(
      '"values.json" cannot be imported: item 1, "P.Line.A.Value", diagram: the name of a Diagram has at most 512 characters, but this one has 5000',
    );
    expect(await checked('values.json', scoped({ location: 'x'.repeat(513) }), false)).toContain(', location: ');
    const mock = mockRoute().parse({
      name: 'M',
      enabled: true,
      priority: 0,
      request: { method: 'GET', url: 'http://x/', headers: [], body: null },
      answer: { status: 200, headers: [], body: { kind: 'none' }, delayMs: 0, fault: null },
    });
    await client.mocks.save(mock);
    const mocks = Array.from({ length: 10_000 }, (_, index) => ({ ...mock, name: `New ${index}` }));
    expect(await checked('mocks.json', { mocks }, false)).toContain('at most 10000 mocks, this one would have 10001');
    expect(await checked('mocks.json', { mocks }, true)).toBe('[]');
    // A folder of a version without names of contexts.
    expect(await checked('scripts/G/S.contexts.json', [{ tagName: 'T' }], true)).toBe(
      '[{"script":"G/S","names":["Mine"]}]',
    );
  });
});

test('a mirror replaces tests and mocks although together they are too many', async () => {
  await inWorkspace(temporaryFolder(), async (client) => {
    const { id } = await client.scripts.save({ group: 'G', name: 'S', description: '', body: 'return 1;' });
    const empty = scriptTestText().parse({ name: 'x' });
    for (let index = 0; index < 1_000; index += 1) {
      await client.scriptTests.save({ ...empty, name: `Old ${index}`, scriptId: id });
    }
    const { files } = await textOfWorkspace(client);
    const folder = join(temporaryFolder(), 'text');
    await writeFolder(folder, new Map(files).set('scripts/G/S.tests.json', '[{"name":"New"},{"name":"OLD 1"}]'));
    const { report } = await applyFolder(client, await readFolder(folder), true);
    expect(report.tests).toEqual({ created: 1, updated: 1, unchanged: 0, deleted: 999 });
  });
});

test('an exported folder has no journal, which is exported on request only', async () => {
  await inWorkspace(temporaryFolder(), async (client) => {
    const tag = path(0);
    await client.tags.save(tagOf(tag, 'storage', 'Double', {}));
    for (const value of [123_456_789, 7]) await client.tags.set({ items: [{ tag, value }] });
    const texts = await textsOf(client);
    expect(Object.keys(texts).filter((file) => /journal|capsule/i.test(file))).toEqual([]);
    // The value before the last one is only in the journal.
    expect(JSON.stringify(texts)).not.toContain('123456789');
    expect((await client.journal.export({})).text).toContain('123456789');
  });
});
