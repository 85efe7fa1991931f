import { statSync } from 'node:fs';
import { join } from 'node:path';
import { backupsOf } from '../../storage/backups/backups.ts';
import type { Check, DiagnosticFinding, CheckInput } from './check.ts';
import { ok, warning } from './check.ts';

/** Clocks that are synchronized over the network differ by less, ms. */
const TOLERATED_MS = 2 * 60_000;
const SET_IT = 'Set the clock of this machine: events, windows of rules and versions of scripts are dated by it.';

/** Whether the time of this machine is plausible. */
export const CLOCK_CHECKS: readonly Check[] = [
  { id: 'clock.time', group: 'Clock', title: 'Time', run: time },
  { id: 'clock.zone', group: 'Clock', title: 'Time zone', run: zone },
];

/** A past moment, with its description. */
interface Witness {
  what: string;
  at: number;
}

/** Compares the clock with everything that was dated by it before. */
function time({ workspace, root, facts, now }: CheckInput): DiagnosticFinding {
  const file = join(workspace, 'workspace.db');
  const witnesses = [
    ...['workspace.db', 'workspace.db-wal', 'plant.db', 'logs/tagwright.log'].flatMap((name) =>
      fileTime(join(workspace, name), `the last change of ${name}`),
    ),
    ...backupsOf(file)
      .slice(0, 1)
      .map(({ at }) => ({ what: 'the newest backup', at })),
    ...(facts === null || facts instanceof Error || facts.newest === null
      ? []
      : [{ what: 'the newest entry of workspace.db', at: Date.parse(facts.newest) }]),
    ...fileTime(join(root, 'package.json'), 'the installation of Tagwright'),
  ];
  return judgeTime(now, witnesses);
}

export function judgeTime(now: number, witnesses: readonly Witness[]): DiagnosticFinding {
  const shown = new Date(now).toISOString();
  const latest = witnesses.toSorted((a, b) => b.at - a.at)[0];
  if (!latest || !(latest.at > now + TOLERATED_MS)) return ok(`${shown}, later than everything in the workspace`);
  return warning(
    `${shown}, but ${latest.what} is of ${new Date(latest.at).toISOString()}, ${spanText(latest.at - now)} later: the clock was set back, or is wrong`,
    SET_IT,
  );
}

export function spanText(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 120) return `${minutes} minutes`;
  return minutes < 2_880 ? `${Math.round(minutes / 60)} hours` : `${Math.round(minutes / 1_440)} days`;
}

/** Node uses UTC for an unknown zone. */
function zone({ now }: CheckInput): DiagnosticFinding {
  const name = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const named = process.env['TZ'];
  const offset = -new Date(now).getTimezoneOffset();
  const sign = offset < 0 ? '-' : '+';
  const two = (part: number) => String(part).padStart(2, '0');
  const shown = `UTC${sign}${two(Math.floor(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`;
  if (/unknown/i.test(name)) {
    return warning(
      `${named === undefined ? 'the system names no time zone' : `"${named}" (environment variable TZ) is not a time zone`}; ${shown} is used`,
      'Set one such as TZ=Europe/Berlin, or set it in the system, then restart Tagwright.',
    );
  }
  return ok(`${name}, ${shown} now`);
}

function fileTime(file: string, what: string): Witness[] {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats ? [{ what, at: stats.mtimeMs }] : [];
}
