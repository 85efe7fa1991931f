import { Script } from 'node:vm';
import { parse } from 'acorn';
import type { Json } from '#domain/text/json';
import { isJsonObject } from '#domain/text/json';
import type { Rule, RuleOutput, SampleValue } from '#domain/rule/rule';
import type { Cause } from '#domain/run/journal';
import type { ScriptEvaluator } from '#domain/run/script-evaluator';
import { messageOf } from '../../../platform/errors.ts';
import { InTurn } from '../../../platform/in-turn.ts';
import type { ClosedWindow } from '#domain/rule/rule-window';

/** Runs a condition in the sandbox; settles however it ends. */
export type ConditionRunner = Pick<ScriptEvaluator, 'run'>;

/** The verdict of a condition about one window. `later`: it could not be evaluated, and the window may be retried. */
export type Verdict = { kind: 'fires' | 'no' | 'later' } | { kind: 'error'; message: string };

/** The values of the outputs of a window, in their order. */
type WindowOutputs = readonly (SampleValue | null)[];

const BY_RULE: Cause = { by: 'rule' };

/** Script time of a condition over all windows that wait for it, ms. */
const CONDITION_MS = 1_000;

/** Why a condition is invalid, or null if it is one expression. */
export function problemOfCondition(text: string): string | null {
  try {
    const { body } = parse(`(\n${text}\n)`, { ecmaVersion: 'latest', sourceType: 'script' });
    if (body.length !== 1 || body[0]?.type !== 'ExpressionStatement')
      return 'not one expression: write one, such as average > 490';
    return isScript(`'use strict';(\n${text}\n)`) ? null : 'not an expression';
  } catch (thrown) {
    return `not an expression: ${described(thrown, text)}`;
  }
}

/** The message of the parser with its place in the text, which begins in the second line of what was parsed. */
function described(thrown: unknown, text: string): string {
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/);
  return messageOf(thrown).replace(/ \((\d+):(\d+)\)$/, (_, line, column) =>
    Number(line) - 1 > lines.length ? ' at its end' : ` in line ${Number(line) - 1}, column ${Number(column) + 1}`,
  );
}

/** The parts of a rule that its condition needs. */
type ConditionRule = Pick<Rule, 'name' | 'condition'> & {
  outputs: readonly (RuleOutput & { column: string })[];
};

/** The result of one run of a condition: a verdict for each window, or why there is none for any of them. */
type ConditionOutcome =
  | { kind: 'verdicts'; verdicts: Verdict[] }
  /** It could not be evaluated, for a reason outside of the condition; null if the instance is stopping. */
  | { kind: 'later'; reason: string | null }
  /** `broke`: it exceeded its limits, or broke its host. */
  | { kind: 'failed'; message: string; broke: boolean };

/**
 * Evaluates the condition of a rule for windows, all in one run of the sandbox. The expression sees every output by the
 * name of its column, by its own name if that is an identifier, and as a member of `outputs`.
 * @param id the rule for which the journal counts the run; null if it does not
 */
async function evaluateAtOnce(
  rule: ConditionRule,
  windows: readonly WindowOutputs[],
  runner: ConditionRunner,
  id: number | null,
): Promise<ConditionOutcome> {
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
    ...(id !== null && { origin: { script: null, rule: { id, name: rule.name }, cause: BY_RULE } }),
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

function verdictOf(result: Json): Verdict {
  if (typeof result === 'boolean') return { kind: result ? 'fires' : 'no' };
  const message = isJsonObject(result) && typeof result['e'] === 'string' ? result['e'] : 'no answer';
  return { kind: 'error', message: message.slice(0, 500) };
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
    const verdict = $$condition({ ${members.join(', ')} }, ${values.join(', ')});
    return typeof verdict === 'boolean' ? verdict : { e: 'the condition returned ' + (verdict === null ? 'null' : 'a ' + typeof verdict) + ', not true or false' };
  } catch (thrown) {
    return { e: String(thrown && thrown.message || thrown) };
  }
});`;
}

/** Throws a SyntaxError if the engine rejects it. */
const isScript = (text: string): boolean => new Script(text) instanceof Script;

function isIdentifier(name: string): boolean {
  if (!/^[A-Za-z_][\w]*$/.test(name) || name === 'outputs') return false;
  try {
    return isScript(`'use strict';let ${name};`);
  } catch {
    return false;
  }
}

/** The result of one step. */
interface EvaluationStep {
  /** For the first of the windows: for at least one, or for none if none can be evaluated now. */
  verdicts: Verdict[];
  /** The condition exceeded its limits, or broke its host, with a single window. */
  broke: boolean;
  /** Why none can be evaluated now; null if the instance is stopping. */
  later: string | null;
}

/**
 * Evaluates the condition of one rule for as many windows at once as works: for all of them; if that fails, because one
 * may be at fault for all, for a single one, and then for twice as many each time.
 */
export class ConditionEvaluator {
  #atOnce = Infinity;

  /** @param id the rule for which the journal counts the runs; those of a preview are not counted */
  async next(
    rule: ConditionRule,
    windows: readonly WindowOutputs[],
    runner: ConditionRunner,
    id: number | null = null,
  ): Promise<EvaluationStep> {
    for (;;) {
      const some = windows.slice(0, this.#atOnce);
      const outcome = await evaluateAtOnce(rule, some, runner, id);
      if (outcome.kind === 'later') return { verdicts: [], broke: false, later: outcome.reason };
      if (outcome.kind === 'verdicts') {
        this.#atOnce *= 2;
        return { verdicts: outcome.verdicts, broke: false, later: null };
      }
      const { message, broke } = outcome;
      if (some.length <= 1) return { verdicts: [{ kind: 'error', message }], broke, later: null };
      this.#atOnce = 1;
    }
  }
}

/** After breaking this many times, a condition is not evaluated for the other windows of a preview. */
const MAX_BROKEN = 3;

/**
 * Evaluates the condition of a rule for the windows of a preview: one after another if it fails, and no further if it
 * keeps exceeding its limits, so that a preview holds one host for at most a few seconds.
 */
export async function evaluateCondition(
  rule: ConditionRule,
  windows: readonly WindowOutputs[],
  runner: ConditionRunner,
): Promise<Verdict[]> {
  const evaluator = new ConditionEvaluator();
  const verdicts: Verdict[] = [];
  let broken = 0;
  while (verdicts.length < windows.length) {
    const left = windows.slice(verdicts.length);
    const { verdicts: some, broke } = await evaluator.next(rule, left, runner);
    if (some.length === 0) return [...verdicts, ...left.map((): Verdict => ({ kind: 'later' }))];
    verdicts.push(...some);
    if (broke) broken += 1;
    if (broken === MAX_BROKEN) {
      const message = `not evaluated, because it exceeded its limits in ${broken} earlier windows`;
      return [...verdicts, ...left.slice(some.length).map((): Verdict => ({ kind: 'error', message }))];
    }
  }
  return verdicts;
}

/** The state of the condition of an active rule. */
export interface ConditionState {
  readonly evaluator: ConditionEvaluator;
  /** Whether it is being evaluated, or waits for its turn. */
  busy: boolean;
  /** The length of the last pause after it broke, ms; 0 if it did not break. */
  pauseMs: number;
  /** When it is evaluated next, on the clock of `performance.now()`. */
  notBefore: number;
}

export const newCondition = (): ConditionState => ({
  evaluator: new ConditionEvaluator(),
  busy: false,
  pauseMs: 0,
  notBefore: -Infinity,
});

/** A closed window that waits for its verdict. */
interface WaitingWindow {
  readonly window: ClosedWindow;
}

/** The parts of an active rule that deciding about closed windows needs. */
interface DecidedRule<Closing extends WaitingWindow> {
  readonly rule: Rule;
  readonly waiting: Closing[];
  readonly condition: ConditionState;
  problem: string | null;
  readonly canStore: boolean;
  storedNext(most: number): number;
}

interface VerdictsParts<Closing extends WaitingWindow, R extends DecidedRule<Closing>> {
  conditions: ConditionRunner;
  /** Whether this is still the active rule: it was neither changed nor deleted. */
  isActive: (active: R) => boolean;
  /** Called with each window's verdict, in order. */
  finish: (active: R, closing: Closing, verdict: Verdict) => void;
  log: (where: string, fault: unknown) => void;
}

/** The pause of a condition that broke: twice as long each time until it works. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/**
 * Conditions that are evaluated concurrently, besides one that broke: each holds a script host for some ms.
 */
const AT_ONCE = 4;

/**
 * Decides which of the closed windows of rules with a condition fire. A few conditions are evaluated concurrently; conditions that exceeded their
 * limits, or broke their host, only one at a time, and each after a longer and longer pause.
 */
export class Verdicts<Closing extends WaitingWindow, R extends DecidedRule<Closing>> {
  readonly #parts: VerdictsParts<Closing, R>;
  readonly #turns = new InTurn(AT_ONCE);
  readonly #broken = new InTurn();
  #closed = false;

  constructor(parts: VerdictsParts<Closing, R>) {
    this.#parts = parts;
  }

  /** Evaluates the condition for the waiting windows of a rule, unless that is in progress or has to wait. */
  settle(active: R): void {
    const { condition } = active;
    if (!condition.busy && performance.now() >= condition.notBefore) void this.#evaluate(active);
  }

  /** Starts no more evaluations; resolves when none is in progress. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([this.#turns.settled(), this.#broken.settled()]);
  }

  async #evaluate(active: R): Promise<void> {
    const { waiting, condition } = active;
    condition.busy = true;
    try {
      // Until the rule is restarted or its condition changes; a new condition has its own state.
      while (
        waiting.length > 0 &&
        active.condition === condition &&
        performance.now() >= condition.notBefore &&
        active.canStore
      ) {
        const turns = condition.pauseMs > 0 ? this.#broken : this.#turns;
        if (!(await turns.run(() => this.#step(active)))) return;
      }
    } catch (thrown) {
      active.problem = `The condition cannot be evaluated: ${messageOf(thrown)}`;
      this.#parts.log(`the condition of rule ${active.rule.id}`, thrown);
    } finally {
      condition.busy = false;
    }
  }

  /** Evaluates the condition for the waiting windows; returns whether to continue. */
  async #step(active: R): Promise<boolean> {
    const { conditions, isActive } = this.#parts;
    const { waiting, condition } = active;
    if (this.#closed || !isActive(active)) return false;
    const closings = waiting.slice(0, active.storedNext(waiting.length));
    const full = closings.filter(({ window }) => !window.empty);
    const outputs = full.map(({ window }) => window.outputs);
    const step =
      full.length === 0
        ? NOTHING_TO_EVALUATE
        : await condition.evaluator.next(active.rule, outputs, conditions, active.rule.id);
    // The rule was changed or deleted in the meantime: the store still has these windows open.
    if (!isActive(active)) return false;
    if (full.length > 0 && step.verdicts.length === 0) {
      condition.notBefore = performance.now() + FIRST_PAUSE_MS;
      if (step.later !== null) active.problem = `The condition cannot be evaluated now, windows wait: ${step.later}`;
      return false;
    }
    this.#deal(active, closings, new Map(step.verdicts.map((verdict, place) => [full[place], verdict])));
    if (active.condition === condition) this.#pause(active, step);
    return true;
  }

  /** Takes the first of these windows, up to the first without a verdict, from the waiting ones. */
  #deal(active: R, closings: readonly Closing[], verdicts: ReadonlyMap<Closing | undefined, Verdict>): void {
    const { waiting } = active;
    const undecided = closings.findIndex((closing) => !closing.window.empty && !verdicts.has(closing));
    const dealt = new Set(closings.slice(0, undecided < 0 ? closings.length : undecided));
    // Some may already be settled: too many waited, or the rule no longer has a condition.
    const still = waiting.filter((closing) => dealt.has(closing));
    waiting.splice(0, waiting.length, ...waiting.filter((closing) => !dealt.has(closing)));
    for (const closing of still) this.#parts.finish(active, closing, verdicts.get(closing) ?? { kind: 'no' });
  }

  #pause(active: R, { broke, verdicts }: EvaluationStep): void {
    const { condition } = active;
    if (!broke) {
      condition.pauseMs = 0;
      return;
    }
    condition.pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, condition.pauseMs * 2));
    condition.notBefore = performance.now() + condition.pauseMs;
    const [first] = verdicts;
    const why = first?.kind === 'error' ? first.message : 'it broke';
    active.problem = `The condition failed: ${why}. It is retried after ${condition.pauseMs / 1_000} s; windows wait until then.`;
  }
}

const NOTHING_TO_EVALUATE: EvaluationStep = { verdicts: [], broke: false, later: null };
