import { GUEST_REQUEST, type Host } from './bridge.ts';
import { inspect } from './inspect.ts';
import { MAX_CONSOLE_TEXT } from '../protocol/limits.ts';
import { sliceText } from './primordials.ts';

/** The console of a run: entries are sent at once, so that a killed run still shows them. */
export interface RunConsole {
  log(...values: unknown[]): void;
  info(...values: unknown[]): void;
  warn(...values: unknown[]): void;
  error(...values: unknown[]): void;
  debug(...values: unknown[]): void;
}

let room = 0;
let dropped = 0;
let nextNote = 1;

/** Lets the run write this many entries; the rest is counted. */
export function openConsole(entries: number): void {
  room = entries;
}

/** The `console` global. Levels are numbered as in CONSOLE_LEVELS. */
export function runConsole(host: Host): RunConsole {
  return {
    log: (...values) => write(host, 0, values),
    info: (...values) => write(host, 1, values),
    warn: (...values) => write(host, 2, values),
    error: (...values) => write(host, 3, values),
    debug: (...values) => write(host, 4, values),
  };
}

/** An entry of the guest itself. */
export function warn(host: Host, text: string): void {
  write(host, 2, [text]);
}

function write(host: Host, level: number, values: unknown[]): void {
  if (room <= 0) {
    drop(host);
    return;
  }
  room -= 1;
  let text = '';
  for (let index = 0; index < values.length && text.length <= MAX_CONSOLE_TEXT; index += 1) {
    const value = values[index];
    text +=
      (index === 0 ? '' : ' ') + (typeof value === 'string' ? value : inspect(value, MAX_CONSOLE_TEXT - text.length));
  }
  if (text.length > MAX_CONSOLE_TEXT) {
    text = `${sliceText(text, 0, MAX_CONSOLE_TEXT)}… (${text.length - MAX_CONSOLE_TEXT} more characters)`;
  }
  host(GUEST_REQUEST.console, `${level}${text}`);
}

/** Reports how many entries were dropped in total. */
export function closeConsole(host: Host): void {
  room = 0;
  if (dropped > 0) host(GUEST_REQUEST.consoleDropped, `${dropped}`);
}

/**
 * Reports the count at 1, 2, 4, 8 …, so that a killed run has an approximate count and a flood costs almost nothing.
 */
function drop(host: Host): void {
  dropped += 1;
  if (dropped < nextNote) return;
  nextNote *= 2;
  host(GUEST_REQUEST.consoleDropped, `${dropped}`);
}
