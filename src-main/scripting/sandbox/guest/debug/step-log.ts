import type { StepLimits } from '../../protocol/debug.ts';
import { callCount } from '../host-call.ts';
import { stringify } from '../primordials.ts';

/**
 * The order in which statements and branches run, and what each of them gives variables: as text for the next report. The
 * first step that exceeds a limit, and all later ones, are not kept.
 */
export class StepLog {
  readonly #limits: StepLimits;
  #count = 0;
  #changeCount = 0;
  #textLength = 0;
  #calls = callCount();
  #isFull = false;
  #steps = '';
  #changes = '';
  #callCounts = '';

  constructor(limits: StepLimits) {
    this.#limits = limits;
  }

  /** A statement or branch begins, which ends the one before. */
  step(point: number): void {
    this.settle();
    if (this.#isFull) return;
    const { steps, changes, text } = this.#limits;
    if (this.#count >= steps || this.#changeCount >= changes || this.#textLength >= text) {
      this.#isFull = true;
      return;
    }
    this.#count += 1;
    this.#steps += this.#steps === '' ? point : `,${point}`;
  }

  /** The current step has given a variable a value. A step that gives very many values loses the last ones. */
  change(variable: number, textOf: () => string): void {
    const { changes, text } = this.#limits;
    if (this.#isFull || this.#count === 0 || this.#changeCount >= changes || this.#textLength >= text) return;
    const value = stringify(textOf());
    this.#changeCount += 1;
    this.#textLength += value.length;
    this.#changes += `${this.#changes === '' ? '' : ','}[${this.#count - 1},${variable},${value}]`;
  }

  /** Notes how many calls were made by the end of the current step. */
  settle(): void {
    const calls = callCount();
    if (this.#isFull || this.#count === 0 || calls === this.#calls) return;
    this.#calls = calls;
    this.#callCounts += `${this.#callCounts === '' ? '' : ','}[${this.#count - 1},${calls}]`;
  }

  /** What has come since the last time, as members of a report. */
  take(): string {
    if (this.#steps === '' && this.#changes === '' && this.#callCounts === '') return '';
    const taken = `,"steps":[${this.#steps}],"changes":[${this.#changes}],"calls":[${this.#callCounts}]`;
    this.#steps = '';
    this.#changes = '';
    this.#callCounts = '';
    return taken;
  }
}
