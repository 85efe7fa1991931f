import { isDeepStrictEqual } from 'node:util';
import { PRIVATE_SETTINGS, publicPart } from '#domain/workspace/private-settings';
import type { InstanceClient } from '../host/instance-client.ts';
import type { Applied } from './applied.ts';
import { nothing, named } from './applied.ts';
import { applyByName } from './apply-by-name.ts';
import { applyContexts, applyScripts, applyTests, deleteOtherScripts } from './apply-scripts.ts';
import { applyTags, applyValues } from './apply-tags.ts';
import type { WorkspaceText } from './read-folder.ts';
import { ruleTextOf } from './rule-text.ts';

type ApplyReport = Record<
  'scripts' | 'tests' | 'contexts' | 'tags' | 'values' | 'mocks' | 'rules' | 'diagrams' | 'settings',
  Applied
>;

/**
 * Imports a folder into a workspace, in an order in which references always exist. Items that are not in the folder
 * stay, unless `mirror`: then scripts, tags, mocks, rules (their rows are kept) and Diagrams that are not in the folder
 * are deleted. Repeating it changes nothing more. An error names what was rejected; earlier changes stay, and the
 * import can be repeated.
 */
export async function applyFolder(client: InstanceClient, given: WorkspaceText, mirror: boolean): Promise<ApplyReport> {
  const settings = await applySettings(client, given);
  const scripts = await applyScripts(client, given);
  const tests = await applyTests(client, given, mirror);
  const contexts = await applyContexts(client, given, mirror);
  const tags = await applyTags(client, given, mirror);
  const values = await applyValues(client, given);
  const mocks = await applyMocks(client, given, mirror);
  const rules = await applyRules(client, given, mirror);
  const diagrams = await applyDiagrams(client, given, mirror);
  // Last: tags may still be bound to a script until they are changed.
  if (mirror) scripts.deleted = await deleteOtherScripts(client, given);
  return { scripts, tests, contexts, tags, values, mocks, rules, diagrams, settings };
}

async function applySettings(client: InstanceClient, { settings }: WorkspaceText): Promise<Applied> {
  const stored = await client.settings.get();
  const now: Record<string, unknown> = { ...stored };
  // An export omits the password: the same proxy without it must not remove it here.
  for (const key of PRIVATE_SETTINGS) {
    if (settings[key] === publicPart(key, stored[key])) now[key] = settings[key];
  }
  const changed = Object.entries(settings).filter(([key, value]) => !isDeepStrictEqual(now[key], value));
  if (changed.length > 0) await client.settings.update(Object.fromEntries(changed));
  return { ...nothing(), updated: changed.length, unchanged: Object.keys(settings).length - changed.length };
}

async function applyRules(client: InstanceClient, { rules }: WorkspaceText, mirror: boolean): Promise<Applied> {
  return applyByName({
    title: (name) => `rule "${name}"`,
    given: rules,
    stored: (await client.rules.list()).map((rule) => ({ id: rule.id, text: ruleTextOf(rule) })),
    save: (text, id) => client.rules.save({ ...text, ...(id !== undefined && { id }) }),
    remove: mirror ? (id) => client.rules.delete({ id, rows: 'keep' }) : null,
  });
}

async function applyDiagrams(client: InstanceClient, { diagrams }: WorkspaceText, mirror: boolean): Promise<Applied> {
  const stored = await Promise.all((await client.diagrams.list()).map(({ id }) => client.diagrams.get({ id })));
  return applyByName({
    title: (name) => `Diagram "${name}"`,
    given: diagrams,
    stored: stored.map(({ id, version: _version, savedAt: _at, ...text }) => ({ id, text })),
    save: (text, id) => client.diagrams.save({ ...text, ...(id !== undefined && { id }) }),
    remove: mirror ? (id) => client.diagrams.delete({ id }) : null,
  });
}

/** The mocks: those that are equal to given ones stay; of the others, one with the same name is changed. */
async function applyMocks(client: InstanceClient, { mocks: given }: WorkspaceText, mirror: boolean): Promise<Applied> {
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
