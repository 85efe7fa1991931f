import { abbreviate } from '#domain/text/abbreviate';
import { isNestedAtMost } from '#domain/text/json';
import { MAX_JSON_LEVELS } from '#domain/tag/convert';
import { isNumeric, problemOfFormat } from '#domain/tag/number-format';
import { problemOfTagPath } from '#domain/tag/tag-path';
import { DEFINITION_LIMITS } from '#domain/tag/tag';
import type { TagDefinition, TagType } from '#domain/tag/tag';
import { TagwrightError } from '../../../platform/errors.ts';
import type { KindLookup } from '../kinds/index.ts';
import type { SettingIssue } from '../kinds/kind.ts';

/** The depth of an initial value, plus that of the settings around it. */
export const MAX_SETTINGS_LEVELS = MAX_JSON_LEVELS + 8;
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

export type CheckedDefinition = { ok: true; definition: TagDefinition } | { ok: false; issues: SettingIssue[] };

/** A definition whose members and settings are checked and completed. */
export function checkDefinition(given: TagDefinition, kinds: KindLookup): CheckedDefinition {
  const { path, kind, type, description, unit, format = '' } = given;
  if (!isNestedAtMost(given.settings, MAX_SETTINGS_LEVELS)) {
    return {
      ok: false,
      issues: [{ path: ['settings'], message: `nested more than ${MAX_SETTINGS_LEVELS} levels deep` }],
    };
  }
  const issues = [...textIssues(given)];
  const parsed = kinds(kind).parse(given.settings, type);
  if (!parsed.ok) issues.push(...parsed.issues);
  if (!parsed.ok || issues.length > 0) return { ok: false, issues };
  const shown = format.trim() === '' ? {} : { format };
  return { ok: true, definition: { path, kind, type, description, unit, ...shown, settings: parsed.settings } };
}

function* textIssues({ path, type, description, unit, format = '', settings }: TagDefinition): Generator<SettingIssue> {
  const problem = problemOfTagPath(path);
  if (problem) yield { path: ['path'], message: problem };
  if (description.length > DEFINITION_LIMITS.description) {
    yield { path: ['description'], message: `at most ${DEFINITION_LIMITS.description} characters` };
  }
  if (unit.length > DEFINITION_LIMITS.unit) {
    yield { path: ['unit'], message: `at most ${DEFINITION_LIMITS.unit} characters` };
  }
  if (!description.isWellFormed()) yield { path: ['description'], message: 'contains an unpaired surrogate' };
  if (!unit.isWellFormed()) yield { path: ['unit'], message: 'contains an unpaired surrogate' };
  if (CONTROL_CHARACTERS.test(unit)) yield { path: ['unit'], message: 'no control characters or line breaks' };
  const formatIssue = issueOfFormat(format, type);
  if (formatIssue !== null) yield { path: ['format'], message: formatIssue };
  if (JSON.stringify(settings).length > DEFINITION_LIMITS.settings) {
    yield { path: ['settings'], message: `at most ${DEFINITION_LIMITS.settings} characters of JSON` };
  }
}

function issueOfFormat(format: string, type: TagType): string | null {
  if (format.trim() === '') return null;
  if (!isNumeric(type)) return `only Int and Double have a format, but the type is ${type}; leave it empty`;
  if (format.length > DEFINITION_LIMITS.format) return `at most ${DEFINITION_LIMITS.format} characters`;
  return CONTROL_CHARACTERS.test(format) || !format.isWellFormed()
    ? 'no control characters or line breaks'
    : problemOfFormat(format);
}

/** The problems of definitions that are saved together, beyond those of each one; by path. */
export function problemsOf(definitions: readonly TagDefinition[], kinds: KindLookup): Map<string, SettingIssue> {
  const problems = new Map<string, SettingIssue>();
  for (const [kind, ofKind] of Map.groupBy(definitions, (definition) => definition.kind)) {
    for (const [path, issue] of kinds(kind).problemsOf?.(ofKind) ?? []) problems.set(path, issue);
  }
  return problems;
}

/** Like `checkDefinition`, with the problems that the definition has only together with saved ones. */
export function checkSave(given: TagDefinition, kinds: KindLookup): CheckedDefinition {
  const checked = checkDefinition(given, kinds);
  const problem = checked.ok && problemsOf([checked.definition], kinds).get(given.path);
  return problem ? { ok: false, issues: [problem] } : checked;
}

/** Issues as one line: `settings.signal.min: min is above max`. */
export function describeIssues(issues: readonly SettingIssue[]): string {
  const shown = issues.slice(0, 3).map(({ path, message }) => `${path.join('.')}: ${abbreviate(message, 300)}`);
  const more = issues.length - shown.length;
  return shown.join('; ') + (more > 0 ? ` (and ${more} more)` : '');
}

export function definitionRefused(path: string, issues: readonly SettingIssue[]): TagwrightError {
  return new TagwrightError('BAD_REQUEST', `"${abbreviate(path, 100)}" was not saved: ${describeIssues(issues)}`, {
    data: { issues: sentIssues(issues).map((issue) => ({ ...issue })) },
  });
}

/** Issues as clients get them. */
export function sentIssues(issues: readonly SettingIssue[]): SettingIssue[] {
  return issues.slice(0, 100).map(({ path, message }) => ({ path, message: abbreviate(message, 300) }));
}
