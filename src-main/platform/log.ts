import { createHash } from 'node:crypto';
import { renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { inspect } from 'node:util';
import type { JsonObject } from '#domain/text/json';
import { isJsonObject } from '#domain/text/json';
import { localTimeText } from '#domain/text/local-time';
import type { LogFormat } from '#domain/workspace/settings';
import type { Clock } from './clock.ts';
import { systemClock } from './clock.ts';
import { appendPlain } from './files/plain-file.ts';
import { makeOwnFolder } from './files/private-files.ts';
import { maskDetails, maskText } from './mask-secrets.ts';

const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * One line per entry; secrets are masked. The member `event` of the details identifies the event for programs that read
 * the log: `backup.made`. Identical entries within a minute are counted; the next one has the count.
 */
export interface Log {
  debug(message: string, details?: JsonObject): void;
  info(message: string, details?: JsonObject): void;
  warn(message: string, details?: JsonObject): void;
  /** `thrown`, if given, is logged with its stack and causes. */
  error(message: string, thrown?: unknown, details?: JsonObject): void;
}

/** A log that is configured by the settings of an instance. */
export interface FormedLog extends Log {
  /** How entries are written from now on. */
  useFormat(format: LogFormat): void;
}

export interface LogOptions {
  /** Entries below it are not written to stderr; the file gets all except debug entries. */
  level?: LogLevel;
  /** A file for the entries; at 1 MB it becomes `<file>.1`, replacing the previous one. */
  file?: string;
  clock?: Clock;
  format?: LogFormat;
  /** Receives the lines in place of stderr. */
  write?: (line: string) => void;
}

/** How long identical entries are counted instead of written, ms: with a full disk, everything fails. */
const AGAIN_MS = 60_000;
/** Maximum number of entries to compare, and maximum length of their text: a longer one is compared by its digest. */
const MAX_REMEMBERED = 200;
const MAX_REMEMBERED_TEXT = 500;
const MAX_FILE_BYTES = 1_000_000;
const MAX_LINE = 16_384;

/** A log to stderr and, for long-lived hosts, to a file of limited size. It never throws. */
export function createLog(options: LogOptions = {}): FormedLog {
  const { level = 'info', file, clock = systemClock } = options;
  let { format = 'text' } = options;
  const write = options.write ?? ((line: string) => void process.stderr.write(line));
  const lowest = LOG_LEVELS.indexOf(level);
  const again = createRepeats(clock);

  const entry = (at: LogLevel, message: string, details: JsonObject): void => {
    const rank = LOG_LEVELS.indexOf(at);
    if (rank < lowest && (file === undefined || at === 'debug')) return;
    const made = entryOf(at, message, details);
    const repeated = again(textOfEntry(made));
    if (repeated === null) return;
    const time = localTimeText(clock.now());
    const line = format === 'json' ? jsonLine(time, made, repeated) : textLine(time, made, repeated);
    if (rank >= lowest) write(line);
    if (file !== undefined && at !== 'debug') append(file, line);
  };
  return {
    debug: (message, details = {}) => entry('debug', message, details),
    info: (message, details = {}) => entry('info', message, details),
    warn: (message, details = {}) => entry('warn', message, details),
    error: (message, thrown, details = {}) =>
      entry('error', message, thrown === undefined ? details : { ...details, thrown: textOf(thrown) }),
    useFormat: (next) => {
      format = next;
    },
  };
}

/** How often an entry was skipped since it was last written, or null if it must be skipped now. */
function createRepeats(clock: Clock): (entry: string) => number | null {
  const seen = new Map<string, { at: number; left: number }>();
  return (entry) => {
    const text = entry.length > MAX_REMEMBERED_TEXT ? createHash('sha256').update(entry).digest('base64') : entry;
    const now = clock.now();
    const last = seen.get(text);
    if (last && Math.abs(now - last.at) < AGAIN_MS) {
      last.left += 1;
      return null;
    }
    // The last one written is the last of the map.
    seen.delete(text);
    seen.set(text, { at: now, left: 0 });
    const [oldest] = seen.keys();
    if (seen.size > MAX_REMEMBERED && oldest !== undefined) seen.delete(oldest);
    return last?.left ?? 0;
  };
}

interface LogEntry {
  level: LogLevel;
  /** '' if it has no name. */
  event: string;
  message: string;
  fields: JsonObject;
}

function entryOf(level: LogLevel, message: string, { event, ...fields }: JsonObject): LogEntry {
  const masked = maskDetails(fields);
  return {
    level,
    event: typeof event === 'string' ? event : '',
    message: maskText(message),
    fields: isJsonObject(masked) ? masked : {},
  };
}

function textOfEntry({ level, event, message, fields }: LogEntry): string {
  const more = Object.keys(fields).length > 0 ? ` ${JSON.stringify(fields)}` : '';
  return `${level.padEnd(5)} ${event === '' ? '' : `[${event}] `}${message}${more}`;
}

function textLine(time: string, entry: LogEntry, repeated: number): string {
  const text = textOfEntry(entry);
  // Whatever a message contains, an entry stays one line.
  const line = text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ');
  const cut = line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line;
  return `${time} ${cut}${repeated === 0 ? '' : ` (${repeated} more since the last entry)`}\n`;
}

function jsonLine(time: string, { level, event, message, fields }: LogEntry, repeated: number): string {
  const begin = { time, level, event: event || (level === 'error' ? 'fault' : 'note') };
  const end = repeated === 0 ? {} : { repeated };
  const line = JSON.stringify({ ...begin, message, fields, ...end });
  if (line.length <= MAX_LINE) return `${line}\n`;
  // A text that is too long stays a whole object.
  const cut = { cut: JSON.stringify(fields).slice(0, MAX_LINE / 4) };
  return `${JSON.stringify({ ...begin, message: message.slice(0, MAX_LINE / 4), fields: cut, ...end })}\n`;
}

function textOf(thrown: unknown): string {
  const parts: string[] = [];
  for (let current = thrown; current !== undefined && parts.length < 5;) {
    parts.push(current instanceof Error ? (current.stack ?? current.message) : inspect(current));
    current = current instanceof Error ? current.cause : undefined;
  }
  return parts.join('\ncaused by ');
}

function append(file: string, line: string): void {
  try {
    const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    if (size === 0) makeOwnFolder(dirname(file));
    if (size + line.length > MAX_FILE_BYTES) {
      rmSync(`${file}.1`, { force: true });
      renameSync(file, `${file}.1`);
    }
    appendPlain(file, line);
  } catch {
    // A disk that is full or missing must not affect the logged work; stderr has the entry.
  }
}
