import type { GuestNotes } from '../../protocol/debug.ts';
import { callHost, isConnected } from '../host-call.ts';
import { append, PrimitiveUint8Array, stringify } from '../primordials.ts';
import { shortText } from './short-text.ts';
import { StepLog } from './step-log.ts';

const { now } = Date;
const PrimitiveCounts = Float64Array;

/** What a body that notes its values gets, in the order of NOTING_PARAMETERS in instrument/values.ts. */
type NoteCalls = [point: (point: number) => void, note: (variable: number, value: unknown, change?: number) => unknown];

/** The time is read after this many points. */
const POINTS_BETWEEN = 64;
/** What has changed is reported this often, ms, and before a statement that runs first, so that no end loses it. */
const REPORT_MS = 50;
/** Reports before statements that run first; one takes 0.1 ms. */
const MOST_FIRST = 300;
/** Values of one report: what it sends stays far below the limit of a call. */
const MOST_VALUES = 2_000;

/**
 * Notes what variables become and which statements run, and reports it to main in host calls like any other. Numbers and
 * texts are kept as they are; the text of an object is made at once, because the object may change.
 */
export class ValueNotes {
  readonly #notes: GuestNotes;
  readonly #points: Float64Array;
  readonly #counts: Float64Array;
  readonly #first: string[] = [];
  readonly #last: unknown[] = [];
  /** Variables whose last value is already a text. */
  readonly #isText: Uint8Array;
  readonly #changed: Changed;
  readonly #changedPoints: Changed;
  readonly #log: StepLog | null;
  #executed = 0;
  #countdown = POINTS_BETWEEN;
  #reportAt = 0;
  #firstLeft = MOST_FIRST;

  constructor(notes: GuestNotes) {
    this.#notes = notes;
    this.#points = new PrimitiveCounts(notes.points);
    this.#counts = new PrimitiveCounts(notes.variables);
    this.#isText = new PrimitiveUint8Array(notes.variables);
    for (let index = 0; index < notes.variables; index += 1) {
      append(this.#first, '');
      append(this.#last, undefined);
    }
    this.#changed = new Changed(notes.variables);
    this.#changedPoints = new Changed(notes.points);
    const { steps } = notes;
    this.#log = steps === undefined ? null : new StepLog(steps);
    this.#reportAt = now() + REPORT_MS;
  }

  probes(): NoteCalls {
    return [(point) => this.#point(point), (variable, value, change) => this.#note(variable, value, change)];
  }

  returned(): void {
    this.#reportAll();
  }

  uncaught(): void {
    this.#reportAll();
  }

  #point(point: number): void {
    if (!isConnected()) return;
    this.#executed += 1;
    const before = this.#points[point] as number;
    this.#points[point] = before + 1;
    this.#changedPoints.add(point);
    if (this.#log !== null) this.#log.step(point);
    if (this.#executed > this.#notes.most) {
      this.#reportAll();
      this.#report(point);
      return;
    }
    this.#countdown -= 1;
    if (before === 0 && this.#firstLeft > 0) {
      this.#firstLeft -= 1;
      this.#report();
    } else if (this.#countdown <= 0) {
      this.#countdown = POINTS_BETWEEN;
      if (now() >= this.#reportAt) this.#report();
    }
  }

  /** @param change what `++` or `--` adds to the value */
  #note(variable: number, value: unknown, change?: number): unknown {
    if (!isConnected()) return value;
    const became = change === undefined ? value : changed(value, change);
    const isObject = (typeof became === 'object' && became !== null) || typeof became === 'function';
    const kept = isObject ? shortText(became, this.#notes.text) : became;
    this.#last[variable] = kept;
    this.#isText[variable] = isObject ? 1 : 0;
    const count = (this.#counts[variable] as number) + 1;
    this.#counts[variable] = count;
    if (count === 1) this.#first[variable] = this.#lastText(variable);
    this.#changed.add(variable);
    if (this.#log !== null) this.#log.change(variable, () => this.#lastText(variable));
    return value;
  }

  #lastText(variable: number): string {
    const last = this.#last[variable];
    return this.#isText[variable] === 1 ? (last as string) : shortText(last, this.#notes.text);
  }

  #reportAll(): void {
    if (this.#log !== null) this.#log.settle();
    do this.#report();
    while (this.#changed.count > 0);
  }

  /** @param stoppedAt the point that exceeds the limit: main ends the run */
  #report(stoppedAt = -1): void {
    const values = this.#changed.take(
      MOST_VALUES,
      (variable) =>
        `[${variable},${this.#counts[variable]},${stringify(this.#first[variable])},${stringify(this.#lastText(variable))}]`,
    );
    const points = this.#changedPoints.take(Infinity, (point) => `[${point},${this.#points[point]}]`);
    const log = this.#log === null ? '' : this.#log.take();
    const stopped = stoppedAt === -1 ? '' : `,"stoppedAt":${stoppedAt}`;
    try {
      callHost(
        'debug',
        null,
        `{"values":[${values}],"points":[${points}],"executed":${this.#executed}${log}${stopped}}`,
      );
    } catch {
      // The notes must not change what the script does.
    }
    this.#reportAt = now() + REPORT_MS;
  }
}

/** Numbers that have changed since they were taken. */
class Changed {
  readonly #is: Uint8Array;
  readonly #list: Float64Array;
  count = 0;

  constructor(size: number) {
    this.#is = new PrimitiveUint8Array(size);
    this.#list = new PrimitiveCounts(size);
  }

  add(number: number): void {
    if (this.#is[number] !== 0) return;
    this.#is[number] = 1;
    this.#list[this.count] = number;
    this.count += 1;
  }

  /** The texts of at most so many of them, the last ones first, separated by commas. */
  take(most: number, textOf: (number: number) => string): string {
    let text = '';
    for (let taken = 0; this.count > 0 && taken < most; taken += 1) {
      this.count -= 1;
      const number = this.#list[this.count] as number;
      this.#is[number] = 0;
      text += `${taken === 0 ? '' : ','}${textOf(number)}`;
    }
    return text;
  }
}

function changed(value: unknown, change: number): unknown {
  if (typeof value === 'bigint') return change > 0 ? value + 1n : value - 1n;
  return (value as number) + change;
}
