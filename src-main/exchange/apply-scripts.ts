import { isDeepStrictEqual } from 'node:util';
import { nameKey } from '#domain/text/name-key';
import { sameContext, withUsed } from '#domain/run/saved-context';
import type { InstanceClient } from '../host/instance-client.ts';
import type { Applied } from './applied.ts';
import { named, nothing } from './applied.ts';
import { applyByName } from './apply-by-name.ts';
import type { WorkspaceText } from './read-folder.ts';

/** The key of a script. */
const scriptKey = ({ group, name }: { group: string; name: string }): string => `${nameKey(group)}/${nameKey(name)}`;

/** Groups and scripts; none is deleted. Groups get their names from the folder. */
export async function applyScripts(client: InstanceClient, { groups, scripts }: WorkspaceText): Promise<Applied> {
  const done = nothing();
  const before = await client.scripts.list();
  const knownGroups = new Map(before.groups.map((name) => [nameKey(name), name]));
  for (const name of new Set([...groups, ...scripts.map(({ group }) => group)])) {
    const stored = knownGroups.get(nameKey(name));
    if (stored === undefined) await named(`group "${name}"`, client.groups.create({ name }));
    else if (stored !== name) await named(`group "${name}"`, client.groups.rename({ name: stored, newName: name }));
  }
  const known = new Map(before.scripts.map((script) => [scriptKey(script), script]));
  for (const script of scripts) {
    const stored = known.get(scriptKey(script));
    const { tests: _tests, contexts: _contexts, ...text } = script;
    if (stored) {
      const { body } = await client.scripts.get({ id: stored.id });
      const { group, name, description } = stored;
      if (isDeepStrictEqual({ group, name, description, body }, text)) {
        done.unchanged += 1;
        continue;
      }
    }
    const saving = client.scripts.save({ ...text, ...(stored && { id: stored.id }) });
    await named(`script "${script.group}/${script.name}"`, saving);
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
      title: (name) => `test "${name}" of "${script.group}/${script.name}"`,
      given: script.tests,
      stored: (stored.get(scriptId) ?? []).map(({ id, scriptId: _script, savedAt: _at, ...text }) => ({ id, text })),
      save: (text, id) => client.scriptTests.save({ ...text, scriptId, ...(id !== undefined && { id }) }),
      remove: mirror ? (id) => client.scriptTests.delete({ id }) : null,
    });
    for (const what of ['created', 'updated', 'unchanged', 'deleted'] as const) done[what] += applied[what];
  }
  return done;
}

/** Those in the folder become the newest contexts; if it has none, the existing ones stay. */
export async function applyContexts(
  client: InstanceClient,
  { scripts }: WorkspaceText,
  mirror: boolean,
): Promise<Applied> {
  const done = nothing();
  const ids = await scriptIds(client);
  for (const script of scripts) {
    const { group, name, contexts } = script;
    const id = ids.get(scriptKey(script));
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

/** Deletes the scripts that are not in the folder; resolves with how many. */
export async function deleteOtherScripts(client: InstanceClient, { scripts }: WorkspaceText): Promise<number> {
  const wanted = new Set(scripts.map(scriptKey));
  const others = (await client.scripts.list()).scripts.filter((script) => !wanted.has(scriptKey(script)));
  for (const { id } of others) await client.scripts.delete({ id });
  return others.length;
}

async function scriptIds(client: InstanceClient): Promise<Map<string, number>> {
  return new Map((await client.scripts.list()).scripts.map((script) => [scriptKey(script), script.id]));
}
