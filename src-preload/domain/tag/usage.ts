import type { TagKind } from './tag.ts';
import { grouped } from '../text/grouped.ts';

/** A position in a text; lines and columns (UTF-16 units) count from 1. */
export interface TextPlace {
  line: number;
  column: number;
}

/** The references to a tag in a script. */
export interface ScriptUse {
  id: number;
  group: string;
  name: string;
  version: number;
  places: TextPlace[];
  /** False if the body does not parse, so that it could only be searched as text. */
  exact: boolean;
}

/** The references to a tag in a draft. */
export interface DraftUse {
  key: string;
  scriptId: number | null;
  group: string;
  name: string;
  places: TextPlace[];
  exact: boolean;
}

/** A reference in the settings of a tag to another tag, or to a script. */
export interface SettingsUse {
  path: string;
  kind: TagKind;
  /** The member of the settings, such as `expression`. */
  member: string;
  /** The position in the text of the member; null if it is not text with lines. */
  line: number | null;
  column: number | null;
}

/** An aggregation rule with references to a tag. */
export interface RuleUse {
  id: number;
  name: string;
  /** The positions, in this order: `tags`, `window.tag`, and `outputs.NAME` for each output over the tag. */
  members: string[];
}

/** A mock with references to a secret or a tag. */
export interface MockUse {
  id: number;
  name: string;
  /**
   * The positions, in this order: `url`, `headers` and `body` of its request, and `answer.headers`, `answer.body` of
   * its responses.
   */
  members: string[];
}

/** The saved contexts of a script with references to a tag. */
export interface ContextUse {
  scriptId: number;
  group: string;
  name: string;
  /** How many of them refer to the tag. */
  count: number;
}

/** A Diagram with parts that refer to a tag. */
export interface DiagramUse {
  id: number;
  name: string;
  /** The parts, each with its label: `value "Filler speed"`. */
  members: string[];
}

/** A test with references to a tag, or the test of a script. */
export interface TestUse {
  id: number;
  name: string;
  scriptId: number;
  /** The script that it tests. */
  group: string;
  script: string;
  /** The positions, such as `tags`, `expect.writes`, or `mocks`; empty for the test of a script. */
  members: string[];
}

/** All references to a secret. */
export interface SecretUsage {
  scripts: Omit<ScriptUse, 'exact'>[];
  drafts: Omit<DraftUse, 'exact'>[];
  mocks: MockUse[];
  /** The settings, by their keys. */
  settings: string[];
}

/**
 * The one list of what can refer to a tag. Each kind needs a name (below), a finder and a rename (`tag-uses.ts` in
 * `src-main`), a schema, and texts in the window and on the command line; the compiler reports a missing one.
 */
interface TagUses {
  scripts: ScriptUse;
  drafts: DraftUse;
  contexts: ContextUse;
  tags: SettingsUse;
  rules: RuleUse;
  diagrams: DiagramUse;
  tests: TestUse;
  mocks: MockUse;
}

export type TagUseKind = keyof TagUses;

/** One reference of a kind. */
export type TagUse<K extends TagUseKind> = TagUses[K];

/** All references to a tag by its path. */
export type TagUsage = { [K in TagUseKind]: TagUses[K][] };

/** The number of items of each kind with references. */
export type UseCounts = Record<TagUseKind, number>;

/** A script that a rename has changed. */
export interface RenamedScript extends Pick<ScriptUse, 'id' | 'group' | 'name' | 'version'> {
  literals: number;
}

/** What a rename has changed, by name; it changes no drafts, because editors have them open. */
export type RenamedUses = { [K in Exclude<TagUseKind, 'drafts'>]: K extends 'scripts' ? RenamedScript[] : string[] };

/** The references to a script. */
export interface ScriptUsage {
  /** The tags that run it. */
  tags: SettingsUse[];
  /** The scripts and the rules that refer to these tags. */
  scripts: ScriptUse[];
  rules: RuleUse[];
  /** The Diagrams with parts that are bound to these tags. */
  diagrams: DiagramUse[];
  /** Its tests. */
  tests: TestUse[];
}

/** A reference to something that does not exist. */
export interface MissingName {
  kind: TagUseKind;
  /** The path of a tag, or the name of a rule, Diagram, test or saved context. */
  item: string;
  /** The script of a test or a saved context; null for other items. */
  script: { group: string; name: string } | null;
  /** The place in it, such as `settings.readScript` or `outputs.Top`. */
  member: string;
  /** The missing tag, script or rule. */
  name: string;
}

/** The names of the kinds, for one and for several, in the order of lists. */
const USE_NAMES: Record<TagUseKind, readonly [string, string]> = {
  scripts: ['script', 'scripts'],
  drafts: ['draft', 'drafts'],
  contexts: ['saved context', 'saved contexts'],
  tags: ['tag', 'tags'],
  rules: ['rule', 'rules'],
  diagrams: ['Diagram', 'Diagrams'],
  tests: ['test', 'tests'],
  mocks: ['mock', 'mocks'],
};

/** All kinds, in the order of lists. */
export const TAG_USE_KINDS = Object.keys(USE_NAMES).filter((name): name is TagUseKind => name in USE_NAMES);

/** `3 scripts, 1 Diagram and 2 tests`; '' if there are none. */
export function countsText(counts: Partial<UseCounts>): string {
  const parts = TAG_USE_KINDS.flatMap((kind) => {
    const count = counts[kind] ?? 0;
    return count === 0 ? [] : [`${grouped(count)} ${USE_NAMES[kind][count === 1 ? 0 : 1]}`];
  });
  const last = parts.pop();
  if (last === undefined) return '';
  return parts.length === 0 ? last : `${parts.join(', ')} and ${last}`;
}

export function isUsed(usage: TagUsage): boolean {
  return TAG_USE_KINDS.some((kind) => usage[kind].length > 0);
}

/** The number of items of each kind that refer to a script: a tag with two references counts once. */
export function countsOfScript({ tags, scripts, rules, diagrams, tests }: ScriptUsage): Partial<UseCounts> {
  return {
    scripts: scripts.length,
    rules: rules.length,
    tags: new Set(tags.map(({ path }) => path)).size,
    diagrams: diagrams.length,
    tests: tests.length,
  };
}
