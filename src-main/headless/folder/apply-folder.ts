import { isDeepStrictEqual } from 'node:util';
import type { Rule, RuleText } from '#domain/rule';
import { sameContext, withUsed } from '#domain/saved-context';
import { TagwrightError } from '../../platform/errors.ts';
import type { Client } from '../instance-client.ts';
import { withoutPlainPassword } from './exported-settings.ts';
import type { WorkspaceText } from './read-folder.ts';

export interface Applied {
  created: number;
  updated: number;
  unchanged: number;
  deleted: number;
}

export type ApplyReport = Record<
  'scripts' | 'tests' | 'contexts' | 'tags' | 'values' | 'mocks' | 'rules' | 'diagrams' | 'settings',
  Applied
>;

/**
 * Makes a workspace hold what a folder holds, in an order in which nothing names what is not there yet. What the folder
 * does not name stays, unless `mirror`: then scripts, tags, mocks, rules (their rows are kept) and Diagrams that are not
 * in the folder are deleted. Done twice it changes nothing more. An error names what was refused; what was done before
 * it stays, and the import can be done again.
 */
export async function applyFolder(client: Client, given: WorkspaceText, mirror: boolean): Promise<ApplyReport> {
  const settings = await applySettings(client, given);
  const scripts = await applyScripts(client, given);
  const tests = await applyTests(client, given, mirror);
  const contexts = await applyContexts(client, given, mirror);
  const tags = await applyTags(client, given, mirror);
  const values = await applyValues(client, given);
  const mocks = await applyMocks(client, given, mirror);
  const rules = await applyRules(client, given, mirror);
  const diagrams = await applyDiagrams(client, given, mirror);
  // Last: a script that tags are bound to cannot be missed by them.
  if (mirror) scripts.deleted = await deleteOtherScripts(client, given);
  return { scripts, tests, contexts, tags, values, mocks, rules, diagrams, settings };
}

const nothing = (): Applied => ({ created: 0, updated: 0, unchanged: 0, deleted: 0 });

async function applySettings(client: Client, { settings }: WorkspaceText): Promise<Applied> {
  const stored = await client.settings.get();
  // An export left the password out: the same proxy without it must not take it away here.
  const now: Readonly<Record<string, unknown>> =
    settings['api.proxy'] === withoutPlainPassword(stored['api.proxy'])
      ? { ...stored, 'api.proxy': settings['api.proxy'] }
      : stored;
  const changed = Object.entries(settings).filter(([key, value]) => !isDeepStrictEqual(now[key], value));
  if (changed.length > 0) await client.settings.update(Object.fromEntries(changed));
  return { ...nothing(), updated: changed.length, unchanged: Object.keys(settings).length - changed.length };
}

async function applyScripts(client: Client, { groups, scripts }: WorkspaceText): Promise<Applied> {
  const done = nothing();
  const before = await client.scripts.list();
  for (const name of groups.filter((group) => !before.groups.includes(group))) {
    if (!scripts.some(({ group }) => group === name)) await client.groups.create({ name });
  }
  const known = new Map(before.scripts.map((script) => [`${script.group}/${script.name}`, script]));
  for (const script of scripts) {
    const stored = known.get(`${script.group}/${script.name}`);
    if (!stored) {
      await named(`script "${script.group}/${script.name}"`, client.scripts.save(script));
      done.created += 1;
      continue;
    }
    const { body, description } = await client.scripts.get({ id: stored.id });
    if (body === script.body && description === script.description) done.unchanged += 1;
    else {
      await named(`script "${script.group}/${script.name}"`, client.scripts.save({ ...script, id: stored.id }));
      done.updated += 1;
    }
  }
  return done;
}

async function applyTests(client: Client, { scripts }: WorkspaceText, mirror: boolean): Promise<Applied> {
  const done = nothing();
  const ids = await scriptIds(client);
  const stored = Map.groupBy(await client.scriptTests.list({}), ({ scriptId }) => scriptId);
  for (const { group, name, tests } of scripts) {
    const scriptId = ids.get(`${group}/${name}`);
    if (scriptId === undefined) continue;
    const before = new Map((stored.get(scriptId) ?? []).map((test) => [test.name, test]));
    for (const test of tests) {
      const { id, scriptId: _script, savedAt: _at, ...text } = before.get(test.name) ?? { id: undefined };
      before.delete(test.name);
      if (id !== undefined && isDeepStrictEqual(text, test)) done.unchanged += 1;
      else {
        const saving = client.scriptTests.save({ ...test, scriptId, ...(id !== undefined && { id }) });
        await named(`test "${test.name}" of "${group}/${name}"`, saving);
        done[id === undefined ? 'created' : 'updated'] += 1;
      }
    }
    if (!mirror) continue;
    for (const { id } of before.values()) await client.scriptTests.delete({ id });
    done.deleted += before.size;
  }
  return done;
}

/** Those in the folder come first of what a script was run with; where it has none, what is there stays. */
async function applyContexts(client: Client, { scripts }: WorkspaceText, mirror: boolean): Promise<Applied> {
  const done = nothing();
  const ids = await scriptIds(client);
  for (const { group, name, contexts } of scripts) {
    const id = ids.get(`${group}/${name}`);
    if (id === undefined || (contexts.length === 0 && !mirror)) continue;
    const { used } = await client.runContexts.get({ id });
    const next = mirror ? contexts : contexts.toReversed().reduce(withUsed, used);
    if (isDeepStrictEqual(next, used)) done.unchanged += contexts.length;
    else {
      await named(`contexts of "${group}/${name}"`, client.runContexts.replace({ id, used: next }));
      const known = contexts.filter((context) => used.some((other) => sameContext(context, other))).length;
      done.created += contexts.length - known;
      done.unchanged += known;
      done.deleted += used.filter((other) => !next.some((context) => sameContext(context, other))).length;
    }
  }
  return done;
}

async function scriptIds(client: Client): Promise<Map<string, number>> {
  return new Map((await client.scripts.list()).scripts.map(({ group, name, id }) => [`${group}/${name}`, id]));
}

async function deleteOtherScripts(client: Client, { scripts }: WorkspaceText): Promise<number> {
  const wanted = new Set(scripts.map(({ group, name }) => `${group}/${name}`));
  const others = (await client.scripts.list()).scripts.filter(({ group, name }) => !wanted.has(`${group}/${name}`));
  for (const { id } of others) await client.scripts.delete({ id });
  return others.length;
}

async function applyTags(client: Client, { tags: text }: WorkspaceText, mirror: boolean): Promise<Applied> {
  const before = await client.tags.export({ format: 'json' });
  const unchanged = before.text === text;
  const { created, updated, refused } = unchanged
    ? { created: 0, updated: 0, refused: [] }
    : await client.tags.import({ format: 'json', text });
  const [first] = refused;
  if (first) {
    const more = refused.length === 1 ? '' : ` (and ${refused.length - 1} more)`;
    const message = `"tags.json" cannot be imported: tag ${first.row}, ${first.path}: ${first.reason}${more}`;
    throw new TagwrightError('BAD_REQUEST', message);
  }
  const done = { ...nothing(), created, updated, unchanged: unchanged ? before.count : 0 };
  if (!mirror || unchanged) return done;
  const wanted = pathsIn(text);
  const now = [...pathsIn((await client.tags.export({ format: 'json' })).text)];
  const others = now.filter((path) => !wanted.has(path));
  if (others.length > 0) await client.tags.delete({ paths: others });
  return { ...done, deleted: others.length };
}

/** The paths of an export of tags. */
function pathsIn(text: string): Set<string> {
  const tags: unknown = JSON.parse(text);
  const paths = (Array.isArray(tags) ? tags : []).map((tag: unknown) =>
    typeof tag === 'object' && tag !== null && 'path' in tag ? String(tag.path) : '',
  );
  return new Set(paths);
}

async function applyValues(client: Client, { values }: WorkspaceText): Promise<Applied> {
  const scopes = Map.groupBy(values, ({ diagram, location }) => JSON.stringify([diagram, location]));
  for (const items of scopes.values()) {
    const [{ diagram, location } = { diagram: '', location: '' }] = items;
    await client.tags.set({ items: items.map(({ tag, value }) => ({ tag, value })), diagram, location });
  }
  return { ...nothing(), updated: values.length };
}

async function applyMocks(client: Client, { mocks: given }: WorkspaceText, mirror: boolean): Promise<Applied> {
  const done = nothing();
  const left = new Map(
    (await client.mocks.list()).mocks.map(({ hits: _hits, lastHitAt: _at, ...mock }) => [mock.id, mock]),
  );
  const others: typeof given = [];
  for (const mock of given) {
    const same = [...left.values()].find(({ id: _id, ...route }) => isDeepStrictEqual(route, mock));
    if (same) done.unchanged += 1;
    else others.push(mock);
    if (same) left.delete(same.id);
  }
  for (const mock of others) {
    const stored = [...left.values()].find(({ name }) => name === mock.name);
    await named(`mock "${mock.name}"`, client.mocks.save({ ...mock, ...(stored && { id: stored.id }) }));
    done[stored ? 'updated' : 'created'] += 1;
    if (stored) left.delete(stored.id);
  }
  if (mirror && left.size > 0) done.deleted = (await client.mocks.delete({ ids: [...left.keys()] })).count;
  return done;
}

async function applyRules(client: Client, { rules }: WorkspaceText, mirror: boolean): Promise<Applied> {
  const done = nothing();
  const before = new Map((await client.rules.list()).map((rule) => [rule.name, rule]));
  for (const rule of rules) {
    const stored = before.get(rule.name);
    before.delete(rule.name);
    if (stored && isDeepStrictEqual(textOf(stored), rule)) done.unchanged += 1;
    else {
      await named(`rule "${rule.name}"`, client.rules.save({ ...rule, ...(stored && { id: stored.id }) }));
      done[stored ? 'updated' : 'created'] += 1;
    }
  }
  if (mirror) for (const { id } of before.values()) await client.rules.delete({ id, rows: 'keep' });
  return { ...done, deleted: mirror ? before.size : 0 };
}

/** A rule as somebody writes it. */
export function textOf(rule: Rule): RuleText {
  const { name, description, enabled, triggersEvents, tags, sampling, window, condition } = rule;
  const outputs = rule.outputs.map(({ column: _column, columnType: _type, ...output }) => output);
  return { name, description, enabled, triggersEvents, tags, sampling, window, condition, outputs };
}

async function applyDiagrams(client: Client, { diagrams }: WorkspaceText, mirror: boolean): Promise<Applied> {
  const done = nothing();
  const before = new Map((await client.diagrams.list()).map((diagram) => [diagram.name, diagram]));
  for (const page of diagrams) {
    const stored = before.get(page.name);
    before.delete(page.name);
    const {
      id,
      version: _version,
      savedAt: _at,
      ...text
    } = stored ? await client.diagrams.get({ id: stored.id }) : { id: undefined, version: 0, savedAt: '' };
    if (stored && isDeepStrictEqual(text, page)) done.unchanged += 1;
    else {
      await named(`Diagram "${page.name}"`, client.diagrams.save({ ...page, ...(id !== undefined && { id }) }));
      done[stored ? 'updated' : 'created'] += 1;
    }
  }
  if (mirror) for (const { id } of before.values()) await client.diagrams.delete({ id });
  return { ...done, deleted: mirror ? before.size : 0 };
}

/** Says of an error what could not be imported. */
async function named(what: string, work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (thrown) {
    if (thrown instanceof Error) thrown.message = `The ${what} cannot be imported: ${thrown.message}`;
    throw thrown;
  }
}
