import { contextsFileOf } from '#contract/runs/run-contexts';
import { testsFileOf } from '#contract/texts/script-test-text';
import { MAX_MOCKS } from '#domain/mock/mock';
import { CONTEXT_LIMITS, namedContext } from '#domain/run/saved-context';
import { TEST_LIMITS } from '#domain/run/script-test';
import { problemOfScope } from '#domain/tag/scope';
import type { TagLoss } from '#domain/tag/tag';
import { TAG_TYPES } from '#domain/tag/tag';
import { abbreviate } from '#domain/text/abbreviate';
import { nameKey } from '#domain/text/name-key';
import { TagwrightError } from '../platform/errors.ts';
import { checkRule } from '../events/rules/check-rule.ts';
import type { InstanceClient } from '../host/instance-client.ts';
import { patternOf } from '../outbound/mocks/match-mock.ts';
import { checkDiagram } from '../plant/diagrams/diagram-service.ts';
import { storableValue } from '../plant/tags/kinds/value-text.ts';
import { checkGroupName, checkScriptText } from '../scripting/scripts/script-rules.ts';
import { LONGEST_ITEM, named } from './applied.ts';
import { joinedContexts, scriptIds, scriptKey } from './apply-scripts.ts';
import { FILES } from './folder-format.ts';
import { pairedMocks } from './paired-mocks.ts';
import type { WorkspaceText } from './read-folder.ts';

/** The result of a check: what an import of the folder would lose, and what it would not import. */
interface CheckedFolder {
  /** The folder as it is imported: without the values of tags that do not exist. */
  given: WorkspaceText;
  /** The stored values that changed and, with `mirror`, deleted tags would lose. */
  losses: TagLoss[];
  /** The saved contexts that `mirror` would delete of scripts that stay. */
  contexts: ContextLoss[];
  /** The values of tags that do not exist, for people. */
  leftOut: string[];
}

/** The names of saved contexts that a script would lose. */
export interface ContextLoss {
  /** `Group/Name` */
  script: string;
  names: string[];
}

type DefinedTag = Pick<ExportedTag, 'kind' | 'type'>;
type ExportedTag = ReturnType<typeof tagsIn>[number];

/**
 * Checks everything that an import would reject, in all files, against the workspace as it will be then. Changes
 * nothing. Throws BAD_REQUEST with the file, the item and the field.
 */
export async function checkFolder(
  client: InstanceClient,
  given: WorkspaceText,
  mirror: boolean,
): Promise<CheckedFolder> {
  await checkScripts(given);
  await checkTests(client, given, mirror);
  const contexts = await checkContexts(client, given, mirror);
  const losses = await checkTags(client, given, mirror);
  const stored = mirror ? [] : tagsIn((await client.tags.export({ format: 'json' })).text);
  const tags = new Map([...stored, ...tagsIn(given.tags)].map((tag): [string, DefinedTag] => [tag.path, tag]));
  const { values, leftOut } = checkValues(given, tags);
  const typeOf = (path: string): DefinedTag => {
    const tag = tags.get(path);
    if (tag) return tag;
    throw new TagwrightError('NOT_FOUND', `"${path}" does not exist`);
  };
  for (const rule of given.rules) {
    await named({ file: FILES.rules, item: `rule "${rule.name}"` }, () => checkRule(rule, typeOf, true));
  }
  await checkMockCount(client, given, mirror);
  for (const mock of given.mocks) {
    await named({ file: FILES.mocks, item: `mock "${mock.name}"` }, () => patternOf(mock));
  }
  for (const page of given.diagrams) {
    await named({ file: FILES.diagrams, item: `Diagram "${page.name}"` }, () => checkDiagram(page));
  }
  return { given: { ...given, values }, losses, contexts, leftOut };
}

async function checkScripts({ groups, scripts }: WorkspaceText): Promise<void> {
  for (const name of groups) {
    await named({ file: FILES.scripts, item: `group "${name}"` }, () => checkGroupName(name));
  }
  for (const { group, name, description, body } of scripts) {
    const item = { file: FILES.scripts, item: `script "${group}/${name}"` };
    await named(item, () => checkScriptText({ group, name, description, body }));
  }
}

/** The number of tests of each script, including tests that the workspace keeps. */
async function checkTests(client: InstanceClient, { scripts }: WorkspaceText, mirror: boolean): Promise<void> {
  const ids = await scriptIds(client);
  const stored = mirror ? new Map() : Map.groupBy(await client.scriptTests.list({}), ({ scriptId }) => scriptId);
  for (const script of scripts) {
    if (script.tests.length === 0) continue;
    const before: readonly { name: string }[] = stored.get(ids.get(scriptKey(script))) ?? [];
    const count = new Set([...before, ...script.tests].map(({ name }) => nameKey(name))).size;
    if (count > TEST_LIMITS.tests) {
      const why = `a script has at most ${TEST_LIMITS.tests} tests, this one would have ${count}`;
      throw rejected(testsFileOf(script.file), why);
    }
  }
}

async function checkMockCount(client: InstanceClient, { mocks }: WorkspaceText, mirror: boolean): Promise<void> {
  const stored = mirror ? [] : (await client.mocks.list()).mocks;
  const count = stored.length + pairedMocks(stored, mocks).changes.filter(({ id }) => id === undefined).length;
  if (count > MAX_MOCKS) {
    throw rejected(FILES.mocks, `a workspace has at most ${MAX_MOCKS} mocks, this one would have ${count}`);
  }
}

/** Checks the contexts of each script, including contexts that the workspace keeps. Resolves with the lost ones. */
async function checkContexts(
  client: InstanceClient,
  { scripts }: WorkspaceText,
  mirror: boolean,
): Promise<ContextLoss[]> {
  const ids = await scriptIds(client);
  const losses: ContextLoss[] = [];
  for (const script of scripts) {
    const { file, contexts } = script;
    const given = contexts.flatMap(({ name, ...context }) => (name === undefined ? [] : [{ ...context, name }]));
    const id = given.length === 0 && !mirror ? undefined : ids.get(scriptKey(script));
    const before = id === undefined ? [] : (await client.runContexts.get({ id })).named;
    const saved = mirror ? given.length : joinedContexts(before, given).length;
    const lost = mirror ? before.filter(({ name }) => !namedContext(given, name)).map(({ name }) => name) : [];
    if (lost.length > 0) losses.push({ script: `${script.group}/${script.name}`, names: lost });
    if (saved > CONTEXT_LIMITS.named) {
      const why = `a script has at most ${CONTEXT_LIMITS.named} contexts with names, this one would have ${saved}`;
      throw rejected(contextsFileOf(file), why);
    }
    if (contexts.length - given.length > CONTEXT_LIMITS.used) {
      throw rejected(contextsFileOf(file), `at most ${CONTEXT_LIMITS.used} contexts have no name`);
    }
  }
  return losses;
}

async function checkTags(client: InstanceClient, { tags: text }: WorkspaceText, mirror: boolean): Promise<TagLoss[]> {
  const item = { file: FILES.tags, item: '' };
  const { losses, refused = [] } = await named(item, () => client.tags.losses({ format: 'json', text, mirror }));
  const [first] = refused;
  if (!first) return losses;
  const more = refused.length === 1 ? '' : ` (and ${refused.length - 1} more)`;
  throw rejected(FILES.tags, `tag ${first.row}, ${first.path}: ${first.reason}${more}`);
}

/** The values of tags that will exist; throws for one that its tag cannot store. */
function checkValues({ values }: WorkspaceText, tags: ReadonlyMap<string, DefinedTag>) {
  const leftOut: string[] = [];
  const fitting = values.filter(({ tag, value, diagram, location }, index) => {
    const where = `item ${index + 1}, "${abbreviate(tag, LONGEST_ITEM)}"`;
    for (const [field, scope] of [
      ['diagram', { diagram, location: '' }],
      ['location', { diagram: '', location }],
    ] as const) {
      const problem = problemOfScope(scope);
      if (problem !== null) throw rejected(FILES.values, `${where}, ${field}: ${problem}`);
    }
    const defined = tags.get(tag);
    if (!defined) {
      leftOut.push(`${FILES.values}: ${where}: the tag does not exist`);
      return false;
    }
    if (defined.kind !== 'storage') {
      const why = `it is of kind ${defined.kind}, and only storage tags store values. Remove the item`;
      throw rejected(FILES.values, `${where}: ${why}`);
    }
    const storable = storableValue(value, defined.type);
    if (!storable.ok) throw rejected(FILES.values, `${where}, value: ${storable.reason}`);
    return true;
  });
  return { values: fitting, leftOut };
}

/** The tags of a checked export. */
export function tagsIn(text: string) {
  const tags: unknown = JSON.parse(text);
  return (Array.isArray(tags) ? tags : []).map((tag: Record<string, unknown>) => ({
    path: String(tag['path']),
    kind: String(tag['kind']).toLowerCase(),
    type: TAG_TYPES.find((type) => type === tag['type']) ?? 'String',
  }));
}

function rejected(file: string, why: string): TagwrightError {
  return new TagwrightError('BAD_REQUEST', `"${file}" cannot be imported: ${why}`);
}
