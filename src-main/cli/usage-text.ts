import type {
  DraftUse,
  RenamedUses,
  RuleUse,
  ScriptUsage,
  ScriptUse,
  SecretUsage,
  TagUsage,
  TagUseKind,
  TextPlace,
} from '#domain/tag/usage';
import { TAG_USE_KINDS } from '#domain/tag/usage';
import { printable } from '../platform/report/printable.ts';
import { counted, table } from './text.ts';

/** The lines of each kind of references. */
const ROWS: Record<TagUseKind, (usage: TagUsage) => string[][]> = {
  scripts: ({ scripts }) => bodyRows('script', scripts),
  drafts: ({ drafts }) => bodyRows('draft', drafts),
  contexts: ({ contexts }) =>
    contexts.map(({ group, name, count }) => ['context', printable(`${group}/${name}`), `${count} saved`]),
  tags: ({ tags }) =>
    tags.map(({ path, member, line, column }) => [
      'tag',
      printable(path),
      line === null || column === null ? member : `${member} ${line}:${column}`,
    ]),
  rules: ({ rules }) => memberRows('rule', rules),
  diagrams: ({ diagrams }) => memberRows('Diagram', diagrams),
  tests: ({ tests }) =>
    tests.map(({ group, script, name, members }) => [
      'test',
      printable(`${group}/${script}: ${name}`),
      printable(members.join(', ')),
    ]),
  mocks: ({ mocks }) => memberRows('mock', mocks),
};

/** The references to a tag, one per line: `script  Line 1/Fill  3:7, 9:12`. */
export function usageText(usage: TagUsage): string {
  return table(TAG_USE_KINDS.flatMap((kind) => ROWS[kind](usage)));
}

type RenamedLines = {
  readonly [K in keyof RenamedUses]: (renamed: RenamedUses[K][number]) => string;
};

/** The line of each kind of renamed references. */
const RENAMED: RenamedLines = {
  scripts: ({ group, name, version, literals }) =>
    `${group}/${name}: ${counted(literals, 'literal')} changed, version ${version}`,
  contexts: (name) => `saved contexts of ${name}: changed`,
  tags: (path) => `${path}: settings changed`,
  rules: (name) => `rule ${name}: changed`,
  diagrams: (name) => `Diagram ${name}: changed`,
  tests: (name) => `test ${name}: changed`,
  mocks: (name) => `mock ${name}: changed`,
};

/** The references to a script, one per line: those to the tags that run it follow its own. */
export function scriptUsageText(usage: ScriptUsage): string {
  const none = { drafts: [], contexts: [], mocks: [] };
  return table(SCRIPT_USES.flatMap((kind) => ROWS[kind]({ ...none, ...usage })));
}

/** In the order in which they lead to the script. */
const SCRIPT_USES = ['tags', 'scripts', 'rules', 'diagrams', 'tests'] as const;

/** What a rename has changed, a line for each item. */
export function renamedLines({ scripts, contexts, tags, rules, diagrams, tests, mocks }: RenamedUses): string[] {
  return [
    ...scripts.map(RENAMED.scripts),
    ...contexts.map(RENAMED.contexts),
    ...tags.map(RENAMED.tags),
    ...rules.map(RENAMED.rules),
    ...diagrams.map(RENAMED.diagrams),
    ...tests.map(RENAMED.tests),
    ...mocks.map(RENAMED.mocks),
  ].map((line) => `  ${printable(line)}\n`);
}

/** The references to a secret, one per line. */
export function secretUsageText({ scripts, drafts, mocks, settings }: SecretUsage): string {
  return table([
    ...bodyRows('script', scripts),
    ...bodyRows('draft', drafts),
    ...memberRows('mock', mocks),
    ...settings.map((key) => ['setting', key]),
  ]);
}

type InBody = Pick<ScriptUse | DraftUse, 'group' | 'name' | 'places'> & { exact?: boolean };

function bodyRows(what: 'script' | 'draft', uses: readonly InBody[]): string[][] {
  return uses.map(({ group, name, places, exact = true }) => [
    what,
    printable(`${group}/${name}`),
    placesText(places, exact),
  ]);
}

const memberRows = (what: string, uses: readonly Pick<RuleUse, 'name' | 'members'>[]): string[][] =>
  uses.map(({ name, members }) => [what, printable(name), printable(members.join(', '))]);

function placesText(places: readonly TextPlace[], exact: boolean): string {
  const text = places.map(({ line, column }) => `${line}:${column}`).join(', ');
  return exact ? text : `${text} (does not parse: searched as text)`;
}
