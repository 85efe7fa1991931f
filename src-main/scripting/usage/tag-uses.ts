import type { Mock } from '#domain/mock/mock';
import type { Rule } from '#domain/rule/rule';
import type { ScriptContexts } from '#domain/run/saved-context';
import type { Draft, Script, ScriptSummary } from '#domain/run/script';
import type { ScriptTest } from '#domain/run/script-test';
import type { Diagram } from '#domain/tag/diagram';
import type { TagKind } from '#domain/tag/tag';
import type { MissingName, RenamedUses, SettingsUse, TagUse, TagUseKind, TextPlace } from '#domain/tag/usage';
import type { Literal } from './path-literals.ts';
import { renameable, replaceLiterals } from './path-literals.ts';
import type { IndexedScripts, ScriptIndex } from './script-index.ts';
import { namesIn } from './script-index.ts';
import type { PlaceVisitor } from './tag-places.ts';
import { finder, inContexts, inDiagram, inMock, inRule, inTest, renamer } from './tag-places.ts';

/** The references in the settings of a tag; the kinds of tags provide them. */
export interface SettingsReference {
  path: string;
  kind: TagKind;
  reference:
    | { to: 'tag'; path: string; member: string; line: number | null; column: number | null }
    | { to: 'script'; id: number | null; name: string; exists: boolean; member: string };
}

/** Items that can be changed inside a transaction; `rewrite` returns the changed ones. */
export interface Rewritable<Item, Changed = Item> {
  rewrite(change: (item: Item) => Item): Changed[];
}

/** The sources of references. */
export interface UseSources {
  tags: { references(): Iterable<SettingsReference> };
  scripts: {
    listDrafts(): Draft[];
    /** Saves a new version with another body, inside a transaction. */
    revise(id: number, body: string): Script;
  };
  stored: IndexedScripts;
  contexts: Rewritable<ScriptContexts, number> & { all(): { scriptId: number; contexts: ScriptContexts }[] };
  rules: Rewritable<Rule> & { list(): Rule[] };
  diagrams: Rewritable<Diagram> & { all(): Diagram[] };
  tests: Rewritable<ScriptTest> & { list(): ScriptTest[] };
  mocks: Rewritable<Mock> & { list(): { mocks: readonly Mock[] } };
}

/** A rename, inside its transaction. */
export interface Renaming {
  path: string;
  newPath: string;
  /** The tags whose settings it has changed. */
  changedTags: readonly string[];
}

/** One kind of references to tags. */
interface KindOfUse<K extends TagUseKind> {
  /** A step for every item, with its reference to one of the paths, if it has any. */
  find(paths: ReadonlySet<string>): Iterable<TagUse<K> | null>;
  /** Changes the references inside a transaction, and returns what was changed. Drafts stay: editors have them open. */
  rename: K extends keyof RenamedUses ? (renaming: Renaming) => RenamedUses[K] : null;
  /**
   * The references to missing items; null for kinds whose texts need not be references: a literal of a script may
   * be any text, and drafts may be unfinished.
   */
  missing: ((exists: (path: string) => boolean) => Iterable<MissingName>) | null;
}

export type KindsOfUse = { readonly [K in TagUseKind]: KindOfUse<K> };

/** Every kind of references to tags. */
export function kindsOfUse(sources: UseSources, index: ScriptIndex): KindsOfUse {
  const { tags, scripts, stored, contexts, rules, diagrams, tests, mocks } = sources;
  const summaries = () => new Map(stored.summaries().map((script) => [script.id, script]));
  return {
    scripts: {
      *find(paths) {
        for (const { script, named } of index.naming(paths)) {
          const { id, group, name, version } = script;
          yield { id, group, name, version, places: placesOf(named.literals), exact: named.exact };
        }
      },
      rename: ({ path, newPath }) =>
        index.naming(new Set([path])).flatMap(({ script, named }) => {
          if (!named.exact) return [];
          const body = stored.byId(script.id)?.body ?? '';
          const literals = renameable(named.literals, newPath, namesIn(body, new Set([newPath])).literals);
          if (literals.length === 0) return [];
          const revised = scripts.revise(script.id, replaceLiterals(body, literals, newPath));
          const { id, group, name, version } = revised;
          return [{ id, group, name, version, literals: literals.length }];
        }),
      missing: null,
    },
    drafts: {
      *find(paths) {
        for (const { key, scriptId, group, name, body } of scripts.listDrafts()) {
          const { literals, exact } = namesIn(body, paths);
          yield literals.length === 0 ? null : { key, scriptId, group, name, places: placesOf(literals), exact };
        }
      },
      rename: null,
      missing: null,
    },
    contexts: {
      *find(paths) {
        const known = summaries();
        for (const { scriptId, contexts: saved } of contexts.all()) {
          const script = known.get(scriptId);
          const { size } = membersOf(paths, (visitor) => inContexts(saved, visitor));
          yield script && size > 0 ? { scriptId, group: script.group, name: script.name, count: size } : null;
        }
      },
      rename: ({ path, newPath }) => {
        const changed = contexts.rewrite((saved) => inContexts(saved, renamer(path, newPath)));
        const known = summaries();
        return changed.flatMap((id) => nameOf(known.get(id)) ?? []);
      },
      // Only contexts with a name: others may be unfinished.
      *missing(exists) {
        const known = summaries();
        for (const { scriptId, contexts: saved } of contexts.all()) {
          const { group = '', name: script = '' } = known.get(scriptId) ?? {};
          for (const { name: item, tagName } of saved.named) {
            const name = tagName.trim();
            if (name === '' || exists(name)) continue;
            yield { kind: 'contexts', item, script: { group, name: script }, member: 'tagName', name };
          }
        }
      },
    },
    tags: {
      *missing(exists) {
        for (const { path, reference } of tags.references()) {
          const [known, name] =
            reference.to === 'tag' ? [exists(reference.path), reference.path] : [reference.exists, reference.name];
          if (!known) yield { kind: 'tags', item: path, script: null, member: `settings.${reference.member}`, name };
        }
      },
      *find(paths) {
        for (const found of settingsUses(tags.references(), (to) => to.to === 'tag' && paths.has(to.path))) yield found;
      },
      rename: ({ changedTags }) => [...changedTags],
    },
    rules: {
      *find(paths) {
        for (const rule of rules.list()) yield namedUse(rule, paths, (visitor) => inRule(rule, visitor));
      },
      rename: ({ path, newPath }) => namesOf(rules.rewrite((rule) => inRule(rule, renamer(path, newPath)))),
      *missing(exists) {
        for (const rule of rules.list()) {
          yield* missingIn({ kind: 'rules', item: rule.name, script: null }, exists, (visitor) =>
            inRule(rule, visitor),
          );
        }
      },
    },
    diagrams: {
      *find(paths) {
        for (const diagram of diagrams.all()) yield namedUse(diagram, paths, (visitor) => inDiagram(diagram, visitor));
      },
      rename: ({ path, newPath }) => namesOf(diagrams.rewrite((page) => inDiagram(page, renamer(path, newPath)))),
      *missing(exists) {
        for (const page of diagrams.all()) {
          yield* missingIn({ kind: 'diagrams', item: page.name, script: null }, exists, (visitor) =>
            inDiagram(page, visitor),
          );
        }
      },
    },
    tests: {
      *find(paths) {
        const known = summaries();
        for (const test of tests.list()) {
          const found = namedUse(test, paths, (visitor) => inTest(test, visitor));
          const { group = '', name: script = '' } = known.get(test.scriptId) ?? {};
          yield found && { ...found, scriptId: test.scriptId, group, script };
        }
      },
      rename: ({ path, newPath }) => {
        const changed = tests.rewrite((test) => inTest(test, renamer(path, newPath)));
        const known = summaries();
        return changed.map(({ scriptId, name }) => `${nameOf(known.get(scriptId)) ?? ''}: ${name}`);
      },
      *missing(exists) {
        const known = summaries();
        const ruleNames = new Set(rules.list().map(({ name }) => name));
        for (const test of tests.list()) {
          const { group = '', name: script = '' } = known.get(test.scriptId) ?? {};
          const found = { kind: 'tests', item: test.name, script: { group, name: script } } as const;
          yield* missingIn(found, exists, (visitor) => inTest(test, visitor));
          for (const { rule } of test.expect.events ?? []) {
            if (!ruleNames.has(rule)) yield { ...found, member: 'expect.events', name: rule };
          }
        }
      },
    },
    mocks: {
      *find(paths) {
        for (const mock of mocks.list().mocks) yield namedUse(mock, paths, (visitor) => inMock(mock, visitor));
      },
      rename: ({ path, newPath }) => namesOf(mocks.rewrite((mock) => inMock(mock, renamer(path, newPath)))),
      missing: null,
    },
  };
}

/** The references of an item to tags that do not exist. */
function* missingIn(
  found: Pick<MissingName, 'kind' | 'item' | 'script'>,
  exists: (path: string) => boolean,
  traverse: (visitor: PlaceVisitor) => unknown,
): Generator<MissingName> {
  const names = new Map<string, Set<string>>();
  const text = (unchanged: string): string => unchanged;
  const path = (named: string, member: string): string => {
    if (named !== '' && !exists(named)) names.set(named, (names.get(named) ?? new Set()).add(member));
    return named;
  };
  traverse({ path, value: text, text, url: text, code: text });
  for (const [name, members] of names) for (const member of members) yield { ...found, member, name };
}

/** The references in the settings of tags that fit. */
export function* settingsUses(
  references: Iterable<SettingsReference>,
  fits: (reference: SettingsReference['reference']) => boolean,
): Generator<SettingsUse> {
  for (const { path, kind, reference } of references) {
    if (!fits(reference)) continue;
    const { line, column } = reference.to === 'tag' ? reference : { line: null, column: null };
    yield { path, kind, member: reference.member, line, column };
  }
}

function membersOf(paths: ReadonlySet<string>, traverse: (visitor: PlaceVisitor) => unknown): Set<string> {
  const { visitor, members } = finder(paths);
  traverse(visitor);
  return members;
}

function namedUse(
  { id, name }: { id: number; name: string },
  paths: ReadonlySet<string>,
  traverse: (visitor: PlaceVisitor) => unknown,
): { id: number; name: string; members: string[] } | null {
  const members = membersOf(paths, traverse);
  return members.size === 0 ? null : { id, name, members: [...members] };
}

const placesOf = (literals: readonly Literal[]): TextPlace[] => literals.map(({ line, column }) => ({ line, column }));
const namesOf = (items: readonly { name: string }[]): string[] => items.map(({ name }) => name);
const nameOf = (script: ScriptSummary | undefined): string | undefined => script && `${script.group}/${script.name}`;
