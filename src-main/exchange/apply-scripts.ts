import { isDeepStrictEqual } from 'node:util';
import { nameKey } from '#domain/text/name-key';
import { contextsFileOf } from '#contract/runs/run-contexts';
import { testsFileOf } from '#contract/texts/script-test-text';
import type { NamedContext, SavedContext } from '#domain/run/saved-context';
import { namedContext, plainContext, sameContext, withUsed } from '#domain/run/saved-context';
import type { InstanceClient } from '../host/instance-client.ts';
import type { Applied } from './applied.ts';
import { named, nothing } from './applied.ts';
import { FILES } from './folder-format.ts';
import { applyByName } from './apply-by-name.ts';
import type { WorkspaceText } from './read-folder.ts';

/** The key of a script. */
export const scriptKey = ({ group, name }: { group: string; name: string }): string =>
  `${nameKey(group)}/${nameKey(name)}`;

const inGroup = (name: string) => ({ file: FILES.scripts, item: `group "${name}"` });

/** Groups and scripts; none is deleted. Groups get their names from the folder. */
export async function applyScripts(client: InstanceClient, { groups, scripts }: WorkspaceText): Promise<Applied> {
  const done = nothing();
  const before = await client.scripts.list();
  const knownGroups = new Map(before.groups.map((name) => [nameKey(name), name]));
  for (const name of new Set([...groups, ...scripts.map(({ group }) => group)])) {
    const stored = knownGroups.get(nameKey(name));
    if (stored === undefined) await named(inGroup(name), () => client.groups.create({ name }));
    else if (stored !== name) {
      await named(inGroup(name), () => client.groups.rename({ name: stored, newName: name }));
    }
  }
  const known = new Map(before.scripts.map((script) => [scriptKey(script), script]));
  for (const script of scripts) {
    const stored = known.get(scriptKey(script));
    const { tests: _tests, contexts: _contexts, file: _file, ...text } = script;
    if (stored) {
      const { body } = await client.scripts.get({ id: stored.id });
      const { group, name, description } = stored;
      if (isDeepStrictEqual({ group, name, description, body }, text)) {
        done.unchanged += 1;
        continue;
      }
    }
    const saving = () => client.scripts.save({ ...text, ...(stored && { id: stored.id }) });
    await named({ file: FILES.scripts, item: `script "${script.group}/${script.name}"` }, saving);
    done[stored ? 'updated' : 'created'] += 1;
  }
  return done;
}

/** The tests of the scripts in the folder. */
export async function applyTests(
  client: InstanceClient,
  { scripts }: WorkspaceText,
  mirror: boolean,
): Promise<Applied> {
  const done = nothing();
  const ids = await scriptIds(client);
  const stored = Map.groupBy(await client.scriptTests.list({}), ({ scriptId }) => scriptId);
  for (const script of scripts) {
    const scriptId = ids.get(scriptKey(script));
    if (scriptId === undefined) continue;
    const applied = await applyByName({
      title: (name) => ({ file: testsFileOf(script.file), item: `test "${name}"` }),
      given: script.tests,
      stored: (stored.get(scriptId) ?? []).map(({ id, scriptId: _script, savedAt: _at, ...text }) => ({ id, text })),
      save: (text, id) => client.scriptTests.save({ ...text, scriptId, ...(id !== undefined && { id }) }),
      remove: mirror ? (id) => client.scriptTests.delete({ id }) : null,
    });
    for (const what of ['created', 'updated', 'unchanged', 'deleted'] as const) done[what] += applied[what];
  }
  return done;
}

/**
 * Contexts with a name are added, or replace the one with that name; those without become the most recently used ones.
 * The existing ones stay, unless `mirror`: then the contexts of each script become those of the folder.
 */
export async function applyContexts(
  client: InstanceClient,
  { scripts }: WorkspaceText,
  mirror: boolean,
): Promise<Applied> {
  const done = nothing();
  const ids = await scriptIds(client);
  for (const script of scripts) {
    const { file, contexts } = script;
    const id = ids.get(scriptKey(script));
    if (id === undefined || (contexts.length === 0 && !mirror)) continue;
    const given = contexts.flatMap(({ name, ...context }) => (name === undefined ? [] : [{ ...context, name }]));
    const recent = contexts.filter(({ name }) => name === undefined).map(plainContext);
    const stored = await client.runContexts.get({ id });
    const saved = mirror ? given : joinedContexts(stored.named, given);
    const used = mirror
      ? recent
      : recent.toReversed().reduce<SavedContext[]>((all, one) => withUsed(all, one), stored.used);
    if (!isDeepStrictEqual([saved, used], [stored.named, stored.used])) {
      await named({ file: contextsFileOf(file), item: '' }, () =>
        client.runContexts.replace({ id, used, named: saved }),
      );
    }
    count(done, stored, { named: saved, used }, { given, recent });
  }
  return done;
}

type Contexts = { named: readonly NamedContext[]; used: readonly SavedContext[] };

/** The stored contexts with the given ones, in their order; new ones are the last. */
export function joinedContexts(stored: readonly NamedContext[], given: readonly NamedContext[]): NamedContext[] {
  const replaced = stored.map((one) => namedContext(given, one.name) ?? one);
  return [...replaced, ...given.filter(({ name }) => !namedContext(stored, name))];
}

function count(
  done: Applied,
  before: Contexts,
  after: Contexts,
  { given, recent }: { given: readonly NamedContext[]; recent: readonly SavedContext[] },
): void {
  const isIn = (all: readonly SavedContext[]) => (one: SavedContext) => all.some((other) => sameContext(other, one));
  for (const one of given) {
    const stored = namedContext(before.named, one.name);
    done[!stored ? 'created' : isDeepStrictEqual(stored, one) ? 'unchanged' : 'updated'] += 1;
  }
  const known = recent.filter(isIn(before.used)).length;
  done.created += recent.length - known;
  done.unchanged += known;
  done.deleted += before.used.filter((one) => !isIn(after.used)(one)).length;
  done.deleted += before.named.filter(({ name }) => !namedContext(after.named, name)).length;
}

/** Deletes the scripts that are not in the folder; resolves with how many. */
export async function deleteOtherScripts(client: InstanceClient, { scripts }: WorkspaceText): Promise<number> {
  const wanted = new Set(scripts.map(scriptKey));
  const others = (await client.scripts.list()).scripts.filter((script) => !wanted.has(scriptKey(script)));
  for (const { id } of others) await client.scripts.delete({ id });
  return others.length;
}

/** By the key of the script. */
export async function scriptIds(client: InstanceClient): Promise<Map<string, number>> {
  return new Map((await client.scripts.list()).scripts.map((script) => [scriptKey(script), script.id]));
}
