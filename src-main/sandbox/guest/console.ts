import { ASK, type Host } from './bridge.ts';
import { inspect } from './inspect.ts';
import { MAX_CONSOLE_TEXT } from './limits.ts';
import { sliceText } from './primordials.ts';

const LEVELS = ['log', 'info', 'warn', 'error', 'debug'] as const;

/** The console of a run: entries leave as they happen, so that a run which is killed still shows them. */
export class RunConsole {
  readonly #host: Host;
  #room = 0;
  #dropped = 0;
  #nextNote = 1;

  constructor(host: Host) {
    this.#host = host;
  }

  /** Lets the run write this many entries; the rest is counted. */
  open(entries: number): void {
    this.#room = entries;
  }

  /** How many entries were left out. */
  get dropped(): number {
    return this.#dropped;
  }

  /** The `console` global. */
  global(): Record<string, (...values: unknown[]) => void> {
    const console: Record<string, (...values: unknown[]) => void> = {};
    for (let level = 0; level < LEVELS.length; level += 1) {
      console[LEVELS[level] as string] = (...values) => this.write(level, values);
    }
    return console;
  }

  warn(text: string): void {
    this.write(2, [text]);
  }

  write(level: number, values: unknown[]): void {
    if (this.#room <= 0) {
      this.#drop();
      return;
    }
    this.#room -= 1;
    let text = '';
    for (let index = 0; index < values.length && text.length <= MAX_CONSOLE_TEXT; index += 1) {
      const value = values[index];
      text += (index === 0 ? '' : ' ') + (typeof value === 'string' ? value : inspect(value));
    }
    if (text.length > MAX_CONSOLE_TEXT) {
      text = `${sliceText(text, 0, MAX_CONSOLE_TEXT)}… (${text.length - MAX_CONSOLE_TEXT} more characters)`;
    }
    this.#host(ASK.console, `${level}${text}`);
  }

  /** Tells the count at 1, 2, 4, 8 …, so that a killed run knows it roughly and a flood costs next to nothing. */
  #drop(): void {
    this.#dropped += 1;
    if (this.#dropped < this.#nextNote) return;
    this.#nextNote *= 2;
    this.#host(ASK.consoleDropped, `${this.#dropped}`);
  }
}
