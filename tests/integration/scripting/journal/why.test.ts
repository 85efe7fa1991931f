import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Why } from '#domain/run/why';
import { commandLine } from '../../../support/product/command-line.ts';
import { builtProduct } from '../../../support/product/product.ts';
import { sharedFolder } from '../../../support/temp-folder.ts';

const folder = sharedFolder();
const workspace = join(folder, 'plant');
const STORED = 'Plant.Line.Level.Value';
const SCRIPTED = 'Plant.Line.Order.Value';
const SECRET = 'very-private-4711-key';

async function command(args: string[], stdin = ''): Promise<string> {
  const ended = await commandLine([...args, '-w', workspace], { stdin });
  expect({ args, code: ended.code, err: ended.code === 0 ? '' : ended.err }).toEqual({ args, code: 0, err: '' });
  return ended.out;
}

const why = async (thing: string, ...more: string[]): Promise<Why> =>
  JSON.parse(await command(['why', thing, '--json', ...more]));

/** Runs a body; returns the number of its run in the journal. */
async function run(body: string, ...more: string[]): Promise<number> {
  await commandLine(['run', '-', ...more, '-w', workspace], { stdin: body });
  const [{ line }] = JSON.parse(
    await command(['journal', 'list', '--kind', 'run', '--text', 'not saved', '--limit', '1', '--json']),
  );
  return line.entry;
}

beforeAll(builtProduct, 180_000);
beforeAll(async () => {
  await commandLine(['workspaces', 'new', workspace, '--empty']);
  const body = `// Twice as much.\nTagValueManager.Set([{ tag: '${STORED}', value: tagValue * 2 }]);\n`;
  await command(['scripts', 'save', 'Line/Take the order', '-'], body);
  const tags = [
    { path: STORED, kind: 'storage', type: 'Double', settings: {} },
    { path: SCRIPTED, kind: 'script', type: 'Double', settings: { writeScript: 'Line/Take the order' } },
  ].map((tag) => ({ ...tag, description: '', unit: '' }));
  const file = join(folder, 'tags.json');
  writeFileSync(file, JSON.stringify(tags));
  await command(['tags', 'import', file]);
});

describe('why', () => {
  test('names the person who wrote a value, with the values before and after', async () => {
    await command(['tags', 'set', `${STORED}=1`]);
    await command(['tags', 'set', `${STORED}=2`]);
    const { causes, problem, since } = await why(STORED);
    expect(problem).toBeNull();
    expect(since).not.toBeNull();
    const actor = expect.stringMatching(/user/);
    expect(causes).toMatchObject([{ action: `wrote ${STORED}`, actor, before: 1, after: 2 }]);
  });

  test('follows a nested script in both directions, with versions and lines', async () => {
    const body = `const twice = 21;\n\nTagValueManager.Set([{ tag: '${SCRIPTED}', value: twice }]);`;
    const id = await run(body);
    const { causes } = await why(STORED);
    const by = { script: { name: 'Line/Take the order', version: 1 }, line: 2 };
    expect(causes).toMatchObject([
      { depth: 0, after: 42, tag: STORED, by, script: by.script, line: 2 },
      { depth: 1, action: expect.stringContaining(`as the write script of ${SCRIPTED}`), line: 2 },
      { depth: 2, entry: id, thing: `run:${id}`, line: 3, actor: expect.stringMatching(/user/) },
    ]);
    const ofRun = await why(`run:${id}`);
    expect(ofRun.causes).toMatchObject([{ entry: id }]);
    expect(ofRun.effects.map(({ action }) => action)).toEqual([
      `wrote ${SCRIPTED}`,
      expect.stringContaining('Line/Take the order (version 1)'),
      `wrote ${STORED}`,
    ]);
    // The body of the outer run is not saved; its line is in the text only.
    const [, nested] = ofRun.effects;
    expect(nested).toMatchObject({ tag: SCRIPTED, script: by.script, actor: `run ${id}, line 3` });
    expect(nested).not.toHaveProperty('line');
    const text = await command(['why', STORED]);
    expect(text).toMatch(/Line\/Take the order \(version 1\), line 2/);
  });

  test('names the script and version of a saved script that a person runs', async () => {
    await commandLine(['run', '--script', 'Line/Take the order', '--tag-value', '4', '-w', workspace]);
    const { causes } = await why(STORED);
    expect(causes[0]).toMatchObject({ after: 8, script: { name: 'Line/Take the order', version: 1 }, line: 2 });
  });

  test('explains the state at an earlier time, and has no entry before the first', async () => {
    const { causes } = await why(STORED);
    const at = causes[0]?.at ?? '';
    await command(['tags', 'set', `${STORED}=100`]);
    expect((await why(STORED, '--at', at)).causes[0]?.after).toBe(causes[0]?.after);
    const before = await commandLine(['why', STORED, '--at', '2020-01-01T00:00:00Z', '-w', workspace]);
    expect([before.code, before.err]).toEqual([1, expect.stringMatching(/no entry about a change of .* data since/)]);
  });

  test('rejects names of things that do not exist as such', async () => {
    for (const thing of ['event:x', 'run:0', 'row:agg_1', 'row:/3', 'row:agg_1/-3', 'run:1e3'])
      expect([thing, (await commandLine(['why', thing, '-w', workspace])).code]).toEqual([thing, 2]);
    const kind = await commandLine(['why', 'Event:12', '-w', workspace]);
    expect([kind.code, kind.err]).toEqual([2, expect.stringContaining('event:ID')]);
    const { entry } = (await why(STORED)).causes[0] ?? {};
    const noRun = await commandLine(['why', `run:${entry}`, '-w', workspace]);
    expect([noRun.code, noRun.err]).toEqual([1, `Entry ${entry} is not a run.\n`]);
    const unknown = await commandLine(['why', 'tag:Plant.None.Of.These', '-w', workspace]);
    expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining('does not exist')]);
    const noDay = await commandLine(['why', STORED, '--at', '2026-02-30T00:00:00Z', '-w', workspace]);
    expect([noDay.code, noDay.err]).toEqual([2, expect.stringContaining('this day does not exist')]);
  });

  test('the report of a run has the number of its entry', async () => {
    const { out } = await commandLine(['run', '-', '--json', '-w', workspace], { stdin: 'return 1' });
    const { entry } = JSON.parse(out);
    expect((await why(`run:${entry}`)).causes).toMatchObject([{ entry, thing: `run:${entry}` }]);
  });

  test('explains an event and its row by rule, window and samples', async () => {
    const rule = {
      name: 'Level',
      description: '',
      enabled: true,
      triggersEvents: true,
      tags: [STORED],
      sampling: { kind: 'onChange' },
      window: { kind: 'manual' },
      outputs: [{ name: 'last', reducer: 'last', tag: STORED }],
      condition: '',
    };
    const saved = JSON.parse(await command(['rules', 'save', '-', '--json'], JSON.stringify(rule)));
    const fired = JSON.parse(await command(['fire', 'Level', '--json']));
    const ofEvent = await why(`event:${fired.firstEvent}`);
    expect(ofEvent.problem).toBeNull();
    expect(ofEvent.causes[0]).toMatchObject({
      action: `fired Level (version of ${saved.savedAt}): row 1 of ${saved.resultTable}, event ${fired.firstEvent}`,
      actor: expect.stringMatching(/user/),
    });
    expect(ofEvent.causes[0]).toMatchObject({ rule: { id: saved.id, name: 'Level' }, event: fired.firstEvent });
    expect(ofEvent.window).toMatchObject({ rule: 'Level', values: { last: 100 }, samples: 1, badSamples: 0 });
    const ofRow = await why(`row:${saved.resultTable}/1`);
    expect(ofRow.causes[0]?.entry).toBe(ofEvent.causes[0]?.entry);
  });
});

describe('a run in the journal', () => {
  test('becomes a capsule whose replay is equal', async () => {
    const id = await run(
      `const [{ value }] = TagValueManager.Get(['${STORED}']).value; return [value, Date.now(), Math.random()]`,
    );
    const file = join(folder, 'run.capsule.json');
    await command(['journal', 'capsule', String(id), file]);
    const replayed = await commandLine(['replay', file, '--json']);
    expect(JSON.parse(replayed.out)).toMatchObject({ missing: null, intact: true, comparison: { equal: true } });
  });

  test('with 100,000 reads is stored, and becomes a capsule', { timeout: 600_000 }, async () => {
    const reads = `for (let n = 0; n < 100; n += 1) TagValueManager.Get(Array(1_000).fill('${STORED}'));`;
    const id = await run(`${reads} TagValueManager.Set([{ tag: '${STORED}', value: 5 }]);`);
    expect(JSON.parse(await command(['journal', 'show', String(id), '--json'])).run).toMatchObject({ full: true });
    expect((await why(STORED)).causes[1]).toMatchObject({ entry: id, thing: `run:${id}` });
    const file = join(folder, 'reads.capsule.json');
    await command(['journal', 'capsule', String(id), file]);
    expect(JSON.parse(readFileSync(file, 'utf8')).calls).toHaveLength(101);
  });

  test('that failed is stored in full, with its error', async () => {
    const id = await run("console.log('before');\nthrow new Error('no level')", '--dry-run');
    const shown = JSON.parse(await command(['journal', 'show', String(id), '--json']));
    expect(shown.run).toMatchObject({
      full: true,
      report: { status: 'error', error: { message: 'no level', line: 2 } },
    });
    expect(shown.line.action).toContain('which ended with error (dry run)');
  });

  test('stays when the journal is cleared, if it is pinned', async () => {
    const kept = await run('return 1');
    const dropped = await run('return 2');
    await command(['journal', 'pin', String(kept)]);
    await command(['journal', 'clear']);
    const listed: { line: { entry: number } }[] = JSON.parse(await command(['journal', 'list', '--json']));
    expect(listed.map(({ line }) => line.entry)).toEqual([kept]);
    await command(['tags', 'set', `${STORED}=1`]);
    const entry = (await why(STORED)).causes[0]?.entry;
    const pinned = await commandLine(['journal', 'pin', String(entry), '-w', workspace]);
    expect([pinned.code, pinned.err]).toEqual([2, expect.stringContaining('is not a run')]);
    const gone = await commandLine(['journal', 'show', String(dropped), '-w', workspace]);
    expect([gone.code, gone.err]).toEqual([2, expect.stringMatching(/no entry .* data since/)]);
  });

  test('contains no secret, in any part of the database', async () => {
    await command(['secrets', 'set', 'KEY'], SECRET);
    const id = await run(
      `console.log('${SECRET}'); TagValueManager.Set([{ tag: '${STORED}', value: 3 }]); return '${SECRET}'`,
    );
    const file = join(folder, 'secret.capsule.json');
    await command(['journal', 'capsule', String(id), file]);
    expect(readFileSync(file, 'utf8')).toContain('***');
    for (const text of [readFileSync(file, 'utf8'), await command(['journal', 'show', String(id), '--json'])])
      expect(text).not.toContain(SECRET);
    const stored = readFileSync(join(workspace, 'workspace.db'), 'latin1');
    expect(stored).not.toContain(SECRET);
  });

  test('is listed by what it did, and exported', async () => {
    const found = JSON.parse(await command(['journal', 'list', '--tag', STORED, '--json']));
    expect(found[0]).toMatchObject({ kind: 'write', line: { after: 3 } });
    const exported = JSON.parse(await command(['journal', 'export']));
    expect(exported.length).toBeGreaterThan(1);
    const wrong = await commandLine(['journal', 'list', '--kind', 'writes', '-w', workspace]);
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('--kind is one of run, write')]);
  });
});
