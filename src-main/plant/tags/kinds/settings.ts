import type { z } from 'zod';
import type { JsonObject } from '#domain/text/json';
import { PLAIN } from '../../../platform/plain-words.ts';
import type { SettingIssue, ParsedSettings } from './kind.ts';

/** The errors of zod as issues of the definition. */
export function issuesOf(error: z.ZodError): SettingIssue[] {
  return error.issues.map(({ path, message }) => ({
    path: ['settings', ...path.map((part) => (typeof part === 'symbol' ? String(part) : part))],
    message,
  }));
}

/** Settings checked by a schema whose output is JSON. */
export function parseWith(schema: z.ZodType<JsonObject>, settings: JsonObject): ParsedSettings {
  const parsed = schema.safeParse(settings, PLAIN);
  return parsed.success ? { ok: true, settings: parsed.data } : { ok: false, issues: issuesOf(parsed.error) };
}

export const refused = (message: string, ...path: (string | number)[]): ParsedSettings => ({
  ok: false,
  issues: [{ path: ['settings', ...path], message }],
});
