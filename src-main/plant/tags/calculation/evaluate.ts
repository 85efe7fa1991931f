import { convert } from '#domain/tag/convert';
import type { Json } from '#domain/text/json';
import type { Quality } from '#domain/tag/quality';
import { isUsable } from '#domain/tag/quality';
import type { TagValue } from '#domain/tag/tag';
import { QUALITY_OF_RUN } from '../values/run-quality.ts';
import type { NestedScriptEnd, ScriptEvaluator } from '#domain/run/script-evaluator';
import type { Tag } from '../definitions/tag.ts';
import type { Expression } from './expression.ts';
import type { Program, ProgramInput, RawResult } from './program.ts';
import { programOf, resultsOf } from './program.ts';

/** A calculation tag with its expression. */
export interface Calculation {
  readonly path: string;
  readonly tag: Tag;
  readonly expression: Expression;
}

/** Script time of one run of expressions, in ms: a thousand take about 2. */
const EXPRESSIONS_MS = 1_000;
/** How long an expression that had to be stopped is not retried. */
const QUARANTINE_MS = 60_000;
/** Maximum length of the values for one run, in characters; above it, every expression gets its own run. */
const MAX_INPUT = 24 * 1_048_576;

interface Failure {
  quality: Quality;
  reason: string;
}

/** Expressions that ran out of time or memory, and until when (ms of a monotonic clock) they are in quarantine. */
const quarantine = new WeakMap<Expression, Failure & { until: number }>();

/** Some levels of expressions that are evaluated in one run. */
export class CalculationBatch {
  readonly levels: readonly (readonly Calculation[])[];
  #program: Program | null = null;

  constructor(levels: readonly (readonly Calculation[])[]) {
    this.levels = levels;
  }

  get program(): Program {
    return (this.#program ??= programOf(this.levels));
  }

  get size(): number {
    return this.levels.reduce((sum, { length }) => sum + length, 0);
  }
}

/**
 * Evaluates a batch in one run and adds a value for each of its tags to `values`, which contains those of all inputs.
 * If the run fails, the remaining expressions are run one by one, so that only the faulty one fails.
 */
export async function evaluate(
  batch: CalculationBatch,
  values: Map<string, TagValue>,
  scripts: ScriptEvaluator,
  chain: readonly string[],
): Promise<void> {
  const { levels } = batch;
  const [first] = levels;
  const head = first?.[0];
  if (!first || !head) return;
  const input: ProgramInput = { v: [], q: [], s: skippedOf(first, values) };
  if (levels.length === 1 && !input.s.includes(false)) return;
  let size = 0;
  for (const path of batch.program.slots) {
    const { value, quality } = values.get(path) ?? { value: null, quality: 'Good' };
    size += sizeOf(value);
    input.v.push(value);
    input.q.push(quality);
  }
  let done = 0;
  /** Expressions of the previous level that turned out at run time to need their own realm. */
  const apart: Calculation[] = [];
  /** Settles the next level. Returns whether the results have the form that the program produces. */
  const settle = (raw: Json): boolean => {
    const level = levels[done];
    const results = level && resultsOf(raw, level.length);
    if (!level || !results) return false;
    const left = done === 0 ? input.s : skippedOf(level, values);
    for (const [place, calculation] of level.entries()) {
      const result = results[place];
      if (!result || left[place]) continue;
      if (!result.ok && result.why === 'not plain' && batch.size > 1) apart.push(calculation);
      else values.set(calculation.path, valueOf(calculation, result, values));
    }
    done += 1;
    return true;
  };
  /** The input of the program for its next level; null if it must not continue. */
  const nextInput = (raw: Json): ProgramInput | null => {
    const settled = levels[done] ?? [];
    if (!settle(raw) || apart.length > 0) return null;
    return {
      v: settled.map(({ path }) => values.get(path)?.value ?? null),
      q: settled.map(({ path }) => values.get(path)?.quality ?? 'Bad'),
      s: skippedOf(levels[done] ?? [], values),
    };
  };
  const end =
    size > MAX_INPUT
      ? tooMuch(size)
      : await scripts.run({
          chain: [...chain, head.path],
          sort: 'calculations',
          body: batch.program.body,
          context: { tagName: head.path, tagScopeDiagram: null, tagScopeLocation: null, tagValue: asJson(input) },
          scriptMs: EXPRESSIONS_MS,
          calls: () => handover(nextInput),
        });
  if (end.status === 'ok' && settle(end.result) && apart.length === 0) return;
  const rest = levels.slice(done);
  if (apart.length === 0) return retry(batch, rest, end, values, scripts, chain);
  await Promise.all(
    apart.map((calculation) => evaluate(new CalculationBatch([[calculation]]), values, scripts, chain)),
  );
  await evaluate(new CalculationBatch(rest), values, scripts, chain);
}

/**
 * Evaluates the remaining expressions of a run one by one, level by level, because later levels need the earlier ones.
 */
async function retry(
  batch: CalculationBatch,
  levels: readonly (readonly Calculation[])[],
  end: NestedScriptEnd,
  values: Map<string, TagValue>,
  scripts: ScriptEvaluator,
  chain: readonly string[],
): Promise<void> {
  const failure = failureOf(end);
  const alone = batch.size === 1;
  for (const level of levels) {
    const left = skippedOf(level, values);
    const open = level.filter((_, place) => !left[place]);
    if (alone || !isOfExpressions(end) || scripts.signal.aborted) {
      for (const calculation of open) {
        values.set(calculation.path, badValue(calculation, failure));
        if (alone && end.status !== 'error' && end.status !== 'cancelled' && end.status !== 'ok') {
          quarantine.set(calculation.expression, { ...failure, until: performance.now() + QUARANTINE_MS });
        }
      }
    } else {
      await Promise.all(
        open.map((calculation) => evaluate(new CalculationBatch([[calculation]]), values, scripts, chain)),
      );
    }
  }
}

/** Whether a run may have failed because of one of its expressions, rather than because no run is possible. */
function isOfExpressions({ status, error }: NestedScriptEnd): boolean {
  if (status !== 'error') return status !== 'cancelled';
  return error !== null && (error.line !== null || error.name === 'ResultError' || error.name === 'SizeError');
}

function tooMuch(size: number): NestedScriptEnd {
  const message = `the values of its inputs have ${size} characters, but ${MAX_INPUT} are allowed`;
  return { status: 'error', result: null, error: { name: 'SizeError', message, line: null, column: null, stack: [] } };
}

/** The calls of a program: it returns its levels through Set, and reads nothing. */
function handover(nextInput: (raw: Json) => ProgramInput | null) {
  return {
    get: () => [],
    set(items: readonly { value: Json }[]) {
      const next = nextInput(items[0]?.value ?? null);
      if (!next) throw new Error('an expression changed state that others share');
      const value: TagValue = { path: '', value: asJson(next), quality: 'Good', type: 'Json' };
      return { values: [value], before: [null] };
    },
  };
}

/**
 * The expressions of a level that are not evaluated: with a value already, with a bad input, or in
 * quarantine, which get their value here.
 */
function skippedOf(level: readonly Calculation[], values: Map<string, TagValue>): boolean[] {
  return level.map((calculation) => {
    if (values.has(calculation.path)) return true;
    const bad = badInput(calculation, values) ?? quarantined(calculation.expression);
    if (bad) values.set(calculation.path, badValue(calculation, bad));
    return bad !== null;
  });
}

function quarantined(expression: Expression): Failure | null {
  const held = quarantine.get(expression);
  if (!held || performance.now() > held.until) return null;
  return { quality: held.quality, reason: `${held.reason}; it is retried after a minute, or when it is saved` };
}

/** The first input with an unusable value, unless the expression checks its quality itself. */
function badInput({ expression }: Calculation, values: ReadonlyMap<string, TagValue>): Failure | null {
  for (const path of expression.inputs) {
    const input = values.get(path);
    if (input === undefined || isUsable(input.quality) || expression.handled.has(path)) continue;
    const missing = input.quality === 'BadNodeIdUnknown';
    return { quality: missing ? 'BadConfigurationError' : input.quality, reason: reasonOf(input) };
  }
  return null;
}

function valueOf(calculation: Calculation, result: RawResult, values: ReadonlyMap<string, TagValue>): TagValue {
  const { path, tag, expression } = calculation;
  const { type } = tag.definition;
  if (!result.ok) {
    if (result.why === 'failed') return badValue(calculation, { quality: 'BadInternalError', reason: result.message });
    const number = /NaN|Infinity/.test(result.message);
    const quality = number ? 'BadOutOfRange' : 'BadTypeMismatch';
    return badValue(calculation, { quality, reason: `the expression gives ${result.message}` });
  }
  const converted = convert(result.value, type);
  if (!converted.ok) {
    return badValue(calculation, { quality: 'BadTypeMismatch', reason: `the expression gives ${converted.reason}` });
  }
  const uncertain = uncertainInput(expression, values);
  if (uncertain === null) return { path, value: converted.value, quality: 'Good', type };
  return { path, value: converted.value, quality: uncertain.quality, type, reason: reasonOf(uncertain) };
}

/** The first uncertain input whose quality counts; null if there is none. */
function uncertainInput({ inputs, handled }: Expression, values: ReadonlyMap<string, TagValue>): TagValue | null {
  for (const path of inputs) {
    const input = values.get(path);
    if (input?.quality.startsWith('Uncertain') && !handled.has(path)) return input;
  }
  return null;
}

function reasonOf({ path, quality, reason }: TagValue): string {
  const why = quality === 'BadNodeIdUnknown' ? 'the tag does not exist' : `${quality}${reason ? `, ${reason}` : ''}`;
  return `its input "${path}": ${why}`.slice(0, 1_000);
}

function failureOf({ status, error }: NestedScriptEnd): Failure {
  if (status === 'ok') return { quality: 'BadInternalError', reason: 'an expression changed state that others share' };
  return { quality: QUALITY_OF_RUN[status], reason: `the expression: ${error?.message ?? status}` };
}

export function badValue({ tag }: Pick<Calculation, 'tag'>, { quality, reason }: Failure): TagValue {
  const { path, type } = tag.definition;
  return { path, value: null, quality, type, reason };
}

function sizeOf(value: Json): number {
  if (typeof value === 'string') return value.length;
  return typeof value === 'object' && value !== null ? JSON.stringify(value).length : 8;
}

/** Several columns of JSON values as one. */
function asJson({ v, q, s }: ProgramInput): Json {
  return { v, q, s };
}
