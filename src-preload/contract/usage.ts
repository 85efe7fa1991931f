import { z } from 'zod';
import type { DraftUse, RuleUse, ScriptUse, SecretUsage, SettingsUse, TagUsage } from '#domain/tag/usage';
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
const usage: z.ZodType<TagUsage, TagUsage> = z.object({
  scripts: z.array(scriptUse),
  drafts: z.array(draftUse),
  tags: z.array(settingsUse),
  rules: z.array(ruleUse),
});

/** The references to a tag by its path, whether or not the tag exists. */
export const tagUsage = procedure.read.input(z.object({ path: z.string() })).output(usage);

const usageOfSecret: z.ZodType<SecretUsage, SecretUsage> = z.object({
  scripts: z.array(z.object(inScript)),
  drafts: z.array(z.object(inDraft)),
  mocks: z.array(z.object({ id: z.int().positive(), name: z.string(), members: z.array(z.string()) })),
  settings: z.array(z.string()),
});

/** The references to a secret, whether or not it exists; comments of scripts are searched too. */
export const secretUsage = procedure.read.input(z.object({ name: z.string() })).output(usageOfSecret);

/** The tags whose settings refer to a script. */
export const scriptUsage = procedure.read
  .input(z.object({ id: z.int().positive() }))
  .output(z.object({ tags: z.array(settingsUse) }));

/**
 * Renames a tag; it keeps its values. With `updateScripts`, the literals in scripts that parse are changed too, each
 * script with a new version, and the settings of other tags and rules, all in one transaction; drafts are not changed.
 * `left` has the remaining references to the former path. CONFLICT if there is a tag with the new path.
 */
export const tagRename = procedure.write
  .input(z.object({ path: z.string(), newPath: z.string(), updateScripts: z.boolean() }))
  .output(
    z.object({
      scripts: z.array(
        z.object({
          id: z.int().positive(),
          group: z.string(),
          name: z.string(),
          version: z.int().positive(),
          literals: z.int(),
        }),
      ),
      tags: z.array(z.string()),
      rules: z.array(z.string()),
      left: usage,
    }),
  );
