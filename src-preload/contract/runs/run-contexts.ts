import { z } from 'zod';
import { CONTEXT_LIMITS, VALUE_MODES } from '#domain/run/saved-context';
import type { NamedContext, SavedContext, ScriptContexts } from '#domain/run/saved-context';
import { procedure } from '../procedure.ts';

const name = z.string().max(CONTEXT_LIMITS.name).default('');
const title = z.string().trim().min(1).max(CONTEXT_LIMITS.title);
const members = {
  tagName: name,
  diagram: name,
  location: name,
  valueMode: z.enum(VALUE_MODES).default('none'),
  valueText: z.string().max(CONTEXT_LIMITS.value).default(''),
};
const context = z.strictObject(members);
const named = z.strictObject({ name: title, ...members });
const used = z.array(context).max(CONTEXT_LIMITS.used);
const allNamed = z.array(named).max(CONTEXT_LIMITS.named);

/** The file with the contexts of a script whose body is in a file. */
export const contextsFileOf = (body: string): string => `${body.replace(/\.js$/, '')}.contexts.json`;
/** Its contents: the saved contexts, in their order, then those without a name, which were used, most recent first. */
export const contextsFile = z.array(z.strictObject({ name: title.optional(), ...members })).max(1_000);

const id = z.int().positive();
const shownMembers = {
  tagName: z.string(),
  diagram: z.string(),
  location: z.string(),
  valueMode: z.enum(VALUE_MODES),
  valueText: z.string(),
};
const shown: z.ZodType<SavedContext, SavedContext> = z.object(shownMembers);
const shownNamed: z.ZodType<NamedContext, NamedContext> = z.object({ name: z.string(), ...shownMembers });
const contexts: z.ZodType<ScriptContexts, ScriptContexts> = z.object({
  current: shown.nullable(),
  chosen: z.string().nullable(),
  named: z.array(shownNamed),
  used: z.array(shown),
});

/** The contexts of scripts in the preview. NOT_FOUND for a script that does not exist. */
export const runContexts = {
  get: procedure.read.input(z.object({ id })).output(contexts),
  /**
   * Stores the typed context; `used` for one of a manual run, which becomes the most recent one. `chosen` is the name of
   * the saved context that it comes from; without it, that stays.
   */
  keep: procedure.write
    .input(z.object({ id, context, used: z.boolean().default(false), chosen: z.string().nullable().optional() }))
    .output(contexts),
  /** Replaces the recent ones, and the saved ones if given. CONFLICT if two of these have the same name. */
  replace: procedure.write.input(z.object({ id, used, named: allNamed.optional() })).output(contexts),
  /**
   * Saves a context with its name, and chooses it. `before` is the name of the one that it replaces; without it, another
   * one is added. CONFLICT if a different one has that name, NOT_FOUND if there is none to replace.
   */
  save: procedure.write
    .input(z.object({ id, context: named, before: z.string().optional(), at: z.int().min(0).optional() }))
    .output(contexts),
  /** Deletes the saved context with that name. */
  delete: procedure.write.input(z.object({ id, name: z.string() })).output(contexts),
};
