import type { Rule, RuleText } from '#domain/rule/rule';
import { ruleText } from '#contract/aggregation';
import { usage } from './input.ts';

/** The largest file of a rule. */
export const MAX_RULE_BYTES = 1_048_576;

/** A rule as it is named on the command line: digits are its id, anything else its name. */
export function ruleKey(text: string): { id: number } | { name: string } {
  return /^[1-9]\d{0,14}$/.test(text) ? { id: Number(text) } : { name: text };
}

/** What a file of a rule may leave out. */
const DEFAULTS = {
  description: '',
  enabled: true,
  triggersEvents: false,
  sampling: { kind: 'onChange' },
  condition: '',
};

/** What only the workspace gives: a file that `rules show` printed has it. */
const GIVEN = ['resultTable', 'savedAt'];

/**
 * Reads the JSON of a rule, as `rules show --json` prints it. Tags that are not listed are those of the outputs.
 * @throws TagwrightError BAD_REQUEST, which says where the JSON does not fit
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
  const parsed = ruleText.safeParse({ ...DEFAULTS, tags: [...new Set(tags)], ...given });
  if (!parsed.success) {
    const issues = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'the rule'}: ${message}`);
    throw usage(
      `This is not a rule. ${issues.join('. ')}. "tagwright rules show NAME --json" prints one as an example.`,
    );
  }
  if (id !== undefined && !(typeof id === 'number' && Number.isSafeInteger(id) && id > 0)) {
    throw usage('The id of a rule is a positive integer; leave it out to make a new rule.');
  }
  return id === undefined ? parsed.data : { ...parsed.data, id };
}

function objectOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch (thrown) {
    throw usage(`The file is not JSON: ${thrown instanceof Error ? thrown.message : String(thrown)}.`);
  }
  throw usage('The file is JSON, but not an object. "tagwright rules show NAME --json" prints a rule as an example.');
}

/** `"Fill volume check" (1)` */
export const ruleTitle = ({ id, name }: Pick<Rule, 'id' | 'name'>): string => `"${name}" (${id})`;
