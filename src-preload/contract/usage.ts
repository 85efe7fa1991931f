import { z } from 'zod';
import type {
  DraftUse,
  MissingName,
  RenamedUses,
  RuleUse,
  ScriptUsage,
  ScriptUse,
  SecretUsage,
  SettingsUse,
  TagUsage,
  TestUse,
  UseCounts,
} from '#domain/tag/usage';
import { TAG_USE_KINDS } from '#domain/tag/usage';
import { tagKind } from './schemas.ts';
import { procedure } from './procedure.ts';

const place = { line: z.int().positive(), column: z.int().positive() };
const places = z.array(z.object(place));

const inScript = {
  id: z.int().positive(),
  group: z.string(),
  name: z.string(),
  version: z.int().positive(),
  places,
};
const inDraft = {
  key: z.string(),
  scriptId: z.int().positive().nullable(),
  group: z.string(),
  name: z.string(),
  places,
};
const scriptUse: z.ZodType<ScriptUse, ScriptUse> = z.object({ ...inScript, exact: z.boolean() });
const draftUse: z.ZodType<DraftUse, DraftUse> = z.object({ ...inDraft, exact: z.boolean() });
const settingsUse: z.ZodType<SettingsUse, SettingsUse> = z.object({
  path: z.string(),
  kind: tagKind,
  member: z.string(),
  line: place.line.nullable(),
  column: place.column.nullable(),
});
const ruleUse: z.ZodType<RuleUse, RuleUse> = z.object({
  id: z.int().positive(),
  name: z.string(),
  members: z.array(z.string()),
});
const testUse: z.ZodType<TestUse, TestUse> = z.object({
  id: z.int().positive(),
  name: z.string(),
  scriptId: z.int().positive(),
  group: z.string(),
  script: z.string(),
  members: z.array(z.string()),
});
const contextUse = z.object({
  scriptId: z.int().positive(),
  group: z.string(),
  name: z.string(),
  count: z.int().positive(),
});
const usage: z.ZodType<TagUsage, TagUsage> = z.object({
  scripts: z.array(scriptUse),
  drafts: z.array(draftUse),
  contexts: z.array(contextUse),
  tags: z.array(settingsUse),
  rules: z.array(ruleUse),
  diagrams: z.array(ruleUse),
  tests: z.array(testUse),
  mocks: z.array(ruleUse),
});
const count = z.int().nonnegative();
const counts: z.ZodType<UseCounts, UseCounts> = z.object({
  scripts: count,
  drafts: count,
  contexts: count,
  tags: count,
  rules: count,
  diagrams: count,
  tests: count,
  mocks: count,
});

/** The references to a tag by its path, whether or not the tag exists. */
export const tagUsage = procedure.read.input(z.object({ path: z.string() })).output(usage);

/** How many items of each kind refer to one of the tags; references among these tags are not counted. */
export const tagUses = procedure.read.input(z.object({ paths: z.array(z.string()) })).output(counts);

const useKind = z.enum(TAG_USE_KINDS);
const missingName: z.ZodType<MissingName, MissingName> = z.object({
  kind: useKind,
  item: z.string(),
  script: z.object({ group: z.string(), name: z.string() }).nullable(),
  member: z.string(),
  name: z.string(),
});

/** All references in tags, rules, Diagrams and tests to tags, scripts and rules that do not exist. */
export const tagsMissing = procedure.read.output(z.array(missingName));

const usageOfSecret: z.ZodType<SecretUsage, SecretUsage> = z.object({
  scripts: z.array(z.object(inScript)),
  drafts: z.array(z.object(inDraft)),
  mocks: z.array(z.object({ id: z.int().positive(), name: z.string(), members: z.array(z.string()) })),
  settings: z.array(z.string()),
});

/** The references to a secret, whether or not it exists; comments of scripts are searched too. */
export const secretUsage = procedure.read.input(z.object({ name: z.string() })).output(usageOfSecret);

const usageOfScript: z.ZodType<ScriptUsage, ScriptUsage> = z.object({
  tags: z.array(settingsUse),
  scripts: z.array(scriptUse),
  rules: z.array(ruleUse),
  diagrams: z.array(ruleUse),
  tests: z.array(testUse),
});

/**
 * The tags whose settings refer to a script, the scripts, rules and Diagrams with these tags, and the tests of the
 * script.
 */
export const scriptUsage = procedure.read.input(z.object({ id: z.int().positive() })).output(usageOfScript);

const names = z.array(z.string());
const renamed = z.object({ id: z.int().positive(), group: z.string(), name: z.string(), version: z.int().positive() });
const rename: z.ZodType<RenamedUses & { left: TagUsage }> = z.object({
  scripts: z.array(renamed.extend({ literals: z.int() })),
  contexts: names,
  tags: names,
  rules: names,
  diagrams: names,
  tests: names,
  mocks: names,
  left: usage,
});

/**
 * Renames a tag; it keeps its values. With `updateScripts`, all references to it are changed too, each script with a
 * new version, all in one transaction; drafts, and scripts that do not parse, are not changed. `left` has the remaining
 * references to the former path. CONFLICT if there is a tag with the new path.
 */
export const tagRename = procedure.write
  .input(z.object({ path: z.string(), newPath: z.string(), updateScripts: z.boolean() }))
  .output(rename);
