import { z } from 'zod';
import { CONTEXT_LIMITS, VALUE_MODES } from '#domain/run/saved-context';
import type { SavedContext, ScriptContexts } from '#domain/run/saved-context';
import { procedure } from './procedure.ts';

const name = z.string().max(CONTEXT_LIMITS.name).default('');
const context = z.strictObject({
  tagName: name,
  diagram: name,
  location: name,
  valueMode: z.enum(VALUE_MODES).default('none'),
  valueText: z.string().max(CONTEXT_LIMITS.value).default(''),
});
const used = z.array(context).max(CONTEXT_LIMITS.used);

/** The file with the contexts of a script whose body is in a file. */
export const contextsBeside = (body: string): string => `${body.replace(/\.js$/, '')}.contexts.json`;
/** Its contents, the most recent context first. */
export const contextsFile = used;

const id = z.int().positive();
const shown: z.ZodType<SavedContext, SavedContext> = z.object({
  tagName: z.string(),
  diagram: z.string(),
  location: z.string(),
  valueMode: z.enum(VALUE_MODES),
  valueText: z.string(),
});
const contexts: z.ZodType<ScriptContexts, ScriptContexts> = z.object({
  current: shown.nullable(),
  used: z.array(shown),
});

/** The contexts of scripts in the preview. NOT_FOUND for a script that does not exist. */
export const runContexts = {
  get: procedure.read.input(z.object({ id })).output(contexts),
  /** Stores the typed context; `used` for one of a manual run, which becomes the most recent one. */
  keep: procedure.write.input(z.object({ id, context, used: z.boolean().default(false) })).output(contexts),
  /** Replaces the recent ones. */
  replace: procedure.write.input(z.object({ id, used })).output(contexts),
};
