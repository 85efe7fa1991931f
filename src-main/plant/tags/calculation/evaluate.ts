import { convert } from '#domain/tag/convert';
import type { Json } from '#domain/text/json';
import type { Quality } from '#domain/tag/quality';
import { isUsable } from '#domain/tag/quality';
import type { TagValue } from '#domain/tag/tag';
import { QUALITY_OF_RUN } from '../values/run-quality.ts';
import type { ScriptEvaluator, TagScriptEnd } from '../values/script-evaluator.ts';
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
/** An expression that did not end by itself is not tried again for so long. */
const QUARANTINE_MS = 60_000;
/** Characters of values that one run is given; with more of them every expression has a run of its own. */
const MAX_INPUT = 24 * 1_048_576;

interface Failure {
  quality: Quality;
  reason: string;
}

/** Expressions that ran out of time or memory, and until when (ms of a monotonic clock) they are left alone. */
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
 * Evaluates a batch in one run and puts a value for each of its tags into `values`, which hold those of all inputs. When
 * the run does not come to its end, the expressions that it left are run one by one, so that only the one at fault
 * fails.
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
  const input: ProgramInput = { v: [], q: [], s: leaveOut(first, values) };
  if (levels.length === 1 && !input.s.includes(false)) return;
  let size = 0;
  for (const path of batch.program.slots) {
    const { value, quality } = values.get(path) ?? { value: null, quality: 'Good' };
    size += sizeOf(value);
    input.v.push(value);
    input.q.push(quality);
  }
  let done = 0;
  /** Those of the level before that turned out, when they ran, to need a realm of their own. */
  const apart: Calculation[] = [];
  /** Settles the level that is next. Whether what was handed over is what a program hands over. */
  const settle = (raw: Json): boolean => {
    const level = levels[done];
    const results = level && resultsOf(raw, level.length);
    if (!level || !results) return false;
    const left = done === 0 ? input.s : leaveOut(level, values);
    for (const [place, calculation] of level.entries()) {
      const result = results[place];
      if (!result || left[place]) continue;
      if (!result.ok && result.why === 'not plain' && batch.size > 1) apart.push(calculation);
      else values.set(calculation.path, valueOf(calculation, result, values));
    }
    done += 1;
    return true;
  };
  /** What the program is given for its next level; null when it is not to go on. */
  const goOn = (raw: Json): ProgramInput | null => {
    const answered = levels[done] ?? [];
    if (!settle(raw) || apart.length > 0) return null;
    return {
      v: answered.map(({ path }) => values.get(path)?.value ?? null),
      q: answered.map(({ path }) => values.get(path)?.quality ?? 'Bad'),
      s: leaveOut(levels[done] ?? [], values),
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
          calls: () => handover(goOn),
        });
  if (end.status === 'ok' && settle(end.result) && apart.length === 0) return;
  const rest = levels.slice(done);
  if (apart.length === 0) return retry(batch, rest, end, values, scripts, chain);
  await Promise.all(
    apart.map((calculation) => evaluate(new CalculationBatch([[calculation]]), values, scripts, chain)),
  );
  await evaluate(new CalculationBatch(rest), values, scripts, chain);
}

/** What a run left, one by one; a level at a time, since later levels need the earlier ones. */
async function retry(
  batch: CalculationBatch,
  levels: readonly (readonly Calculation[])[],
  end: TagScriptEnd,
  values: Map<string, TagValue>,
  scripts: ScriptEvaluator,
  chain: readonly string[],
): Promise<void> {
  const failure = failureOf(end);
  const alone = batch.size === 1;
  for (const level of levels) {
    const left = leaveOut(level, values);
    const open = level.filter((_, place) => !left[place]);
    if (alone || !isOfExpressions(end) || scripts.ended) {
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

/** Whether a run may have failed because of one of its expressions, and not because no run is possible at all. */
function isOfExpressions({ status, error }: TagScriptEnd): boolean {
  if (status !== 'error') return status !== 'cancelled';
  return error !== null && (error.line !== null || error.name === 'ResultError' || error.name === 'SizeError');
}

function tooMuch(size: number): TagScriptEnd {
  const message = `the values of its inputs have ${size} characters, ${MAX_INPUT} are allowed`;
  return { status: 'error', result: null, error: { name: 'SizeError', message, line: null, column: null, stack: [] } };
}

/** The calls of a program: it hands over its levels by Set, and reads nothing. */
function handover(goOn: (raw: Json) => ProgramInput | null) {
  return {
    get: () => [],
    set(items: readonly { value: Json }[]) {
      const answer = goOn(items[0]?.value ?? null);
      if (!answer) throw new Error('an expression has disturbed the others');
      const value: TagValue = { path: '', value: asJson(answer), quality: 'Good', type: 'Json' };
      return { values: [value], before: [null] };
    },
  };
}

/**
 * Which expressions of a level are not to be evaluated: those that have a value already, those with a bad input and those
 * in quarantine, which get their value here.
 */
function leaveOut(level: readonly Calculation[], values: Map<string, TagValue>): boolean[] {
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
  return { quality: held.quality, reason: `${held.reason}; it is tried again after a minute, or when it is saved` };
}

/** The first input whose value cannot be used, where the expression does not look at its quality itself. */
function badInput({ expression }: Calculation, values: ReadonlyMap<string, TagValue>): Failure | null {
  for (const path of expression.inputs) {
    const input = values.get(path);
    if (input === undefined || isUsable(input.quality) || expression.handled.has(path)) continue;
    const missing = input.quality === 'BadNodeIdUnknown';
    const reason = missing ? 'there is no such tag' : `${input.quality}${input.reason ? `, ${input.reason}` : ''}`;
    return {
      quality: missing ? 'BadConfigurationError' : input.quality,
      reason: `its input "${path}": ${reason}`.slice(0, 1_000),
    };
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
  return { path, value: converted.value, quality: qualityOf(expression, values), type };
}

/** That of the first uncertain input whose quality counts; `Good` where there is none. */
function qualityOf({ inputs, handled }: Expression, values: ReadonlyMap<string, TagValue>): Quality {
  for (const path of inputs) {
    const quality = values.get(path)?.quality;
    if (quality?.startsWith('Uncertain') && !handled.has(path)) return quality;
  }
  return 'Good';
}

function failureOf({ status, error }: TagScriptEnd): Failure {
  if (status === 'ok') return { quality: 'BadInternalError', reason: 'an expression has disturbed the others' };
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

/** Columns of JSON values as one. */
function asJson({ v, q, s }: ProgramInput): Json {
  return { v, q, s };
}
