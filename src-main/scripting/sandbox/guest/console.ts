import { GUEST_REQUEST, type Host } from './bridge.ts';
import { valuesJson } from './console-values.ts';
import { consoleLine } from './host-call.ts';
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

let isOpen = false;
let dropped = 0;
let nextNote = 1;

/** Lets the run write. The host keeps this many entries, the last ones; without any, they are only counted. */
export function openConsole(entries: number): void {
  isOpen = entries > 0;
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
  if (isOpen) send(host, 2, null, [text]);
  else drop(host);
}

function write(host: Host, level: number, values: unknown[]): void {
  // The frame above is that of the method.
  if (isOpen) send(host, level, consoleLine(write, 2), values);
  else drop(host);
}

function send(host: Host, level: number, line: number | null, values: unknown[]): void {
  let text = '';
  for (let index = 0; index < values.length && text.length <= MAX_CONSOLE_TEXT; index += 1) {
    const value = values[index];
    text +=
      (index === 0 ? '' : ' ') + (typeof value === 'string' ? value : inspect(value, MAX_CONSOLE_TEXT - text.length));
  }
  if (text.length > MAX_CONSOLE_TEXT) {
    text = `${sliceText(text, 0, MAX_CONSOLE_TEXT)}… (${text.length - MAX_CONSOLE_TEXT} more characters)`;
  }
  const parts = valuesJson(values);
  const head = line === null && parts === '' ? `${level}` : `${level + 5}${line ?? ''}|${parts.length}|${parts}`;
  host(GUEST_REQUEST.console, head + text);
}

/** Reports how many entries were dropped in total. */
export function closeConsole(host: Host): void {
  isOpen = false;
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
