import { Script } from 'node:vm';
import { parse } from 'acorn';
import type { Json } from '#domain/text/json';
import { isJsonObject } from '#domain/text/json';
import type { Rule, RuleOutput, SampleValue } from '#domain/rule/rule';
import type { RunContext, RunError, RunStatus } from '#domain/run/run';
import { messageOf } from '../../../platform/errors.ts';

/** Runs a condition in the sandbox; settles however it ends. */
export interface ConditionRunner {
  run(script: {
    chain: readonly string[];
    sort: 'calculations';
    body: string;
    context: RunContext;
    scriptMs: number;
    calls: () => { get: () => never[]; set: () => never };
  }): Promise<{ status: RunStatus; result: Json; error: RunError | null; unavailable?: boolean }>;
}

/** What a condition said of one window. `later`: it could not be asked, and the window may be asked about again. */
export type Verdict = { kind: 'fires' | 'no' | 'later' } | { kind: 'error'; message: string };

/** What the outputs of a window show, in their order. */
export type WindowOutputs = readonly (SampleValue | null)[];

/** Script time of a condition over all windows that wait for it, ms. */
const CONDITION_MS = 1_000;

/** What is wrong with a condition, or null when it is one expression. */
export function problemOfCondition(text: string): string | null {
  try {
    const { body } = parse(`(\n${text}\n)`, { ecmaVersion: 'latest', sourceType: 'script' });
    if (body.length !== 1 || body[0]?.type !== 'ExpressionStatement') return 'not one expression';
    return isScript(`'use strict';(\n${text}\n)`) ? null : 'not an expression';
  } catch (thrown) {
    return `not an expression: ${messageOf(thrown).replace(/ \(\d+:\d+\)$/, '')}`;
  }
}

/** What of a rule its condition is asked with. */
export type ConditionRule = Pick<Rule, 'name' | 'condition'> & {
  outputs: readonly (RuleOutput & { column: string })[];
};

/** What came of one run of a condition: a verdict for each window, or why there is none for any of them. */
export type Answer =
  | { kind: 'verdicts'; verdicts: Verdict[] }
  /** It could not be asked, for a reason that is not the condition's; null where everything ends. */
  | { kind: 'later'; reason: string | null }
  /** `broke`: it outlived its limits, or broke its host. */
  | { kind: 'failed'; message: string; broke: boolean };

/**
 * Asks the condition of a rule about windows, all in one run of the sandbox. The expression sees every
 * output by the name of its column, by its own name where that is an identifier, and as a member of `outputs`.
 */
export async function askAtOnce(
  rule: ConditionRule,
  windows: readonly WindowOutputs[],
  runner: ConditionRunner,
): Promise<Answer> {
  const {
    status,
    result,
    error,
    unavailable = false,
  } = await runner.run({
    chain: [],
    sort: 'calculations',
    body: programOf(rule),
    context: {
      tagName: `Rule.${rule.name}.Condition`,
      tagScopeDiagram: null,
      tagScopeLocation: null,
      tagValue: windows.map((outputs) => [...outputs]),
    },
    scriptMs: CONDITION_MS,
    calls: () => ({
      get: () => [],
      set: () => {
        throw new Error('a condition cannot write tags');
      },
    }),
  });
  if (status === 'cancelled') return { kind: 'later', reason: null };
  if (unavailable) return { kind: 'later', reason: error?.message ?? status };
  if (status !== 'ok' || !Array.isArray(result)) {
    return { kind: 'failed', message: error?.message ?? status, broke: status !== 'ok' && status !== 'error' };
  }
  return { kind: 'verdicts', verdicts: windows.map((_, place) => verdictOf(result[place] ?? null)) };
}

function verdictOf(answer: Json): Verdict {
  if (typeof answer === 'boolean') return { kind: answer ? 'fires' : 'no' };
  const said = isJsonObject(answer) && typeof answer['e'] === 'string' ? answer['e'] : 'no answer';
  return { kind: 'error', message: said.slice(0, 500) };
}

function programOf({ condition, outputs }: ConditionRule): string {
  const names = new Map<string, number>();
  for (const [place, { name }] of outputs.entries()) if (isIdentifier(name)) names.set(name, place);
  for (const [place, { column }] of outputs.entries()) {
    if (!names.has(column) && isIdentifier(column)) names.set(column, place);
  }
  const members = outputs.map(({ name }, place) => `[${JSON.stringify(name)}]: $$v[${place}]`);
  const values = [...names.values()].map((place) => `$$v[${place}]`);
  return `'use strict';
const $$condition = (outputs, ${[...names.keys()].join(', ')}) => { return (
${condition}
); };
return tagValue.map(($$v) => {
  try {
    const answer = $$condition({ ${members.join(', ')} }, ${values.join(', ')});
    return typeof answer === 'boolean' ? answer : { e: 'the condition gives ' + (answer === null ? 'null' : 'a ' + typeof answer) + ', not true or false' };
  } catch (thrown) {
    return { e: String(thrown && thrown.message || thrown) };
  }
});`;
}

/** Throws a SyntaxError for what the engine does not take. */
const isScript = (text: string): boolean => new Script(text) instanceof Script;

function isIdentifier(name: string): boolean {
  if (!/^[A-Za-z_][\w]*$/.test(name) || name === 'outputs') return false;
  try {
    return isScript(`'use strict';let ${name};`);
  } catch {
    return false;
  }
}
