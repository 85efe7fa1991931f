import type { Rule, SampleValue } from '#domain/rule/rule';
import type { ClosedWindow, RuleProgress, RuleWindows, WindowInput, WindowRule } from '#domain/rule/rule-window';
import { windowsOf } from '#domain/rule/rule-window';

/** The windows of a rule over inputs of the past; only the newest closed ones are kept. */
export class Replay {
  readonly rule: WindowRule & Pick<Rule, 'sampling'>;
  samples = 0;
  /** The number of all closed windows, kept or not. */
  total = 0;
  readonly #windows: RuleWindows;
  readonly #most: number;
  #closed: ClosedWindow[] = [];
  #progress: RuleProgress;

  /** @param from ms since 1970: when the rule becomes active */
  constructor(rule: Replay['rule'], from: number, most: number) {
    this.rule = rule;
    this.#windows = windowsOf(rule);
    this.#most = most;
    this.#progress = this.#windows.begin(from);
  }

  take(input: WindowInput): void {
    if (input.kind === 'sample') this.samples += 1;
    const { progress, closed } = this.#windows.step(this.#progress, input);
    this.#progress = progress;
    if (!closed) return;
    this.total += 1;
    this.#closed.push(closed);
    if (this.#closed.length >= 2 * this.#most) this.#closed = this.#closed.slice(-this.#most);
  }

  /** The newest closed windows, oldest first. */
  get closed(): ClosedWindow[] {
    return this.#closed.slice(-this.#most);
  }

  /** When the open window ends by the clock; Infinity if it does not. */
  get closesAt(): number {
    return this.#progress.window?.end ?? Infinity;
  }

  held(tag: number): SampleValue | null {
    return this.#progress.held[tag] ?? null;
  }
}
