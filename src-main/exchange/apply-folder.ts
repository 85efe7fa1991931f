import { isDeepStrictEqual } from 'node:util';
import { PRIVATE_SETTINGS, publicPart } from '#domain/workspace/private-settings';
import type { InstanceClient } from '../host/instance-client.ts';
import type { Applied } from './applied.ts';
import { nothing, named } from './applied.ts';
import { applyByName } from './apply-by-name.ts';
import { applyContexts, applyScripts, applyTests, deleteOtherScripts } from './apply-scripts.ts';
import { FILES } from './folder-format.ts';
import { pairedMocks } from './paired-mocks.ts';
import { missingNames } from './missing-names.ts';
import { applyTags, applyValues } from './apply-tags.ts';
import type { WorkspaceText } from './read-folder.ts';
import { ruleTextOf } from './rule-text.ts';

type ApplyReport = Record<
  'scripts' | 'tests' | 'contexts' | 'tags' | 'values' | 'mocks' | 'rules' | 'diagrams' | 'settings',
  Applied
>;

/** The report, and references to missing items, which are imported too. */
interface Import {
  report: ApplyReport;
  missing: string[];
}

/**
 * Imports a folder into a workspace, in an order in which references always exist. Items that are not in the folder
 * stay, unless `mirror`: then scripts, tags, mocks, rules (their rows are kept) and Diagrams that are not in the folder
 * are deleted. Repeating it changes nothing more. `checkFolder` has checked the folder before; an error that it could
 * not foresee, such as a full disk, names what was rejected: earlier changes stay, and the import can be repeated.
 */
export async function applyFolder(client: InstanceClient, given: WorkspaceText, mirror: boolean): Promise<Import> {
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
  const report = { scripts, tests, contexts, tags, values, mocks, rules, diagrams, settings };
  return { report, missing: await missingNames(client) };
}

async function applySettings(client: InstanceClient, { settings }: WorkspaceText): Promise<Applied> {
  const stored = await client.settings.get();
  const now: Record<string, unknown> = { ...stored };
  // An export omits the password: the same proxy without it must not remove it here.
  for (const key of PRIVATE_SETTINGS) {
    if (settings[key] === publicPart(key, stored[key])) now[key] = settings[key];
  }
  const changed = Object.entries(settings).filter(([key, value]) => !isDeepStrictEqual(now[key], value));
  if (changed.length > 0) {
    await named({ file: FILES.settings, item: '' }, () => client.settings.update(Object.fromEntries(changed)));
  }
  return { ...nothing(), updated: changed.length, unchanged: Object.keys(settings).length - changed.length };
}

async function applyRules(client: InstanceClient, { rules }: WorkspaceText, mirror: boolean): Promise<Applied> {
  return applyByName({
    title: (name) => ({ file: FILES.rules, item: `rule "${name}"` }),
    given: rules,
    stored: (await client.rules.list()).map((rule) => ({ id: rule.id, text: ruleTextOf(rule) })),
    save: (text, id) => client.rules.save({ ...text, keepMissing: true, ...(id !== undefined && { id }) }),
    remove: mirror ? (id) => client.rules.delete({ id, rows: 'keep' }) : null,
  });
}

async function applyDiagrams(client: InstanceClient, { diagrams }: WorkspaceText, mirror: boolean): Promise<Applied> {
  const stored = await Promise.all((await client.diagrams.list()).map(({ id }) => client.diagrams.get({ id })));
  return applyByName({
    title: (name) => ({ file: FILES.diagrams, item: `Diagram "${name}"` }),
    given: diagrams,
    stored: stored.map(({ id, version: _version, savedAt: _at, ...text }) => ({ id, text })),
    save: (text, id) => client.diagrams.save({ ...text, ...(id !== undefined && { id }) }),
    remove: mirror ? (id) => client.diagrams.delete({ id }) : null,
  });
}

/** Imports mocks. Mocks that are equal to given ones stay; others are changed if they have the name of a given one. */
async function applyMocks(client: InstanceClient, { mocks: given }: WorkspaceText, mirror: boolean): Promise<Applied> {
  const done = nothing();
  const { changes, others } = pairedMocks((await client.mocks.list()).mocks, given);
  done.unchanged = given.length - changes.length;
  // Before the new ones are added: together, they could exceed the limit.
  if (mirror && others.length > 0) done.deleted = (await client.mocks.delete({ ids: others })).count;
  for (const { mock, id } of changes) {
    const saving = () => client.mocks.save({ ...mock, ...(id !== undefined && { id }) });
    await named({ file: FILES.mocks, item: `mock "${mock.name}"` }, saving);
    done[id === undefined ? 'created' : 'updated'] += 1;
  }
  return done;
}
