import type { RuleText } from '#domain/rule/rule';
import { ruleText } from '#contract/aggregation';
import { PLAIN, placeText } from '../platform/plain-words.ts';
import { readText, usage } from './input.ts';
import type { Io } from './io.ts';

/** Maximum size of a rule file. */
const MAX_RULE_BYTES = 1_048_576;

/** Reads a rule from a file, or from standard input with `-`. Throws the errors of `parseRule`. */
export async function readRule(io: Io, file: string): Promise<RuleText & { id?: number }> {
  return parseRule(await readText(io, file, { bytes: MAX_RULE_BYTES, of: 'a rule' }));
}

/** Optional members of a rule file. */
const DEFAULTS = {
  description: '',
  enabled: true,
  triggersEvents: false,
  sampling: { kind: 'onChange' },
  condition: '',
};

/** Members that only the workspace sets: a file from `rules show` has them. */
const GIVEN = ['resultTable', 'savedAt'];

/**
 * Reads the JSON of a rule in the format of `rules show --json`. The default tags are those of the outputs.
 * @throws TagwrightError BAD_REQUEST with the place of the problem
 */
export function parseRule(text: string): RuleText & { id?: number } {
  const given = objectOf(text);
  for (const name of GIVEN) delete given[name];
  const { id } = given;
  delete given['id'];
  const outputs = Array.isArray(given['outputs']) ? given['outputs'] : [];
  const tags: unknown[] = outputs.map((output: unknown) =>
    typeof output === 'object' && output !== null && 'tag' in output ? output.tag : null,
  );
  const parsed = ruleText.safeParse({ ...DEFAULTS, tags: [...new Set(tags)], ...given }, PLAIN);
  if (!parsed.success) {
    const issues = parsed.error.issues.map(({ path, message }) => `${placeText(path) || 'the rule'}: ${message}`);
    throw usage(
      `This is not a rule. ${issues.join('. ')}. "tagwright rules show NAME --json" prints one as an example.`,
    );
  }
  if (id !== undefined && !(typeof id === 'number' && Number.isSafeInteger(id) && id > 0)) {
    throw usage('The id of a rule is a positive integer; omit it to create a rule.');
  }
  return id === undefined ? parsed.data : { ...parsed.data, id };
}

function objectOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch (thrown) {
    throw usage(`Invalid JSON in the file: ${thrown instanceof Error ? thrown.message : String(thrown)}.`);
  }
  throw usage('The file is JSON, but not an object. "tagwright rules show NAME --json" prints a rule as an example.');
}
