import { join } from 'node:path';
import { z } from 'zod';
import { readPlain } from '../../platform/files/plain-file.ts';
import type { Check, DiagnosticFinding, CheckInput } from './check.ts';
import { counted, ok, warning } from './check.ts';

const DAY_MS = 86_400_000;
const LONGEST_SHOWN = 200;

/** Whether the log of the last day has errors. */
export const LOG_CHECKS: readonly Check[] = [{ id: 'log.errors', group: 'Log', title: 'Last 24 hours', run: recent }];

const jsonLine = z.looseObject({
  time: z.iso.datetime({ offset: true }),
  level: z.string(),
  message: z.string(),
  fields: z.record(z.string(), z.json()).optional(),
});

export interface LogLine {
  at: number;
  level: string;
  message: string;
}

/** The lines of the log and of the previous one, oldest first. */
export function logLines(workspace: string): string[] {
  const file = join(workspace, 'logs', 'tagwright.log');
  return [`${file}.1`, file].flatMap((one) => textOf(one).split('\n')).filter((line) => line !== '');
}

/** `2026-01-31T06:00:00.000+01:00 warn  the message {…}`, or a line of JSON; null for anything else. */
export function readLogLine(line: string): LogLine | null {
  const json = line.startsWith('{') ? parsedLine(line) : null;
  if (json) return { at: Date.parse(json.time), level: json.level, message: json.message };
  const [, at = '', level = '', message = ''] = /^(\d{4}-\d\d-\d\dT\S+) (\w+) +(.*)$/.exec(line) ?? [];
  const time = Date.parse(at);
  return Number.isNaN(time) ? null : { at: time, level, message };
}

/** A line of JSON, which may have further members; null if it is not one. */
export function parsedLine(line: string): z.infer<typeof jsonLine> | null {
  try {
    return jsonLine.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}

function recent({ workspace, now }: CheckInput): DiagnosticFinding {
  const lines = logLines(workspace).flatMap((line) => readLogLine(line) ?? []);
  const since = lines.filter(({ at }) => at > now - DAY_MS && at <= now + DAY_MS);
  const errors = since.filter(({ level }) => level === 'error');
  const warnings = since.filter(({ level }) => level === 'warn').length;
  const last = errors.at(-1);
  if (!last) return ok(`no errors, ${counted(warnings, 'warning')}`);
  const shown = last.message.length > LONGEST_SHOWN ? `${last.message.slice(0, LONGEST_SHOWN)}…` : last.message;
  return warning(
    `${counted(errors.length, 'error')}, ${counted(warnings, 'warning')}; the last error, ${new Date(last.at).toISOString()}: ${shown}`,
    `Read "${join(workspace, 'logs', 'tagwright.log')}"; report internal errors of Tagwright with a support file.`,
  );
}

function textOf(file: string): string {
  try {
    return readPlain(file);
  } catch {
    return '';
  }
}
