import type { Capsule } from '#domain/run/capsule';
import type { KeptRun, OpenedCapsule, ReplayReport } from '#domain/run/replay';
import { moment } from '../../../support/moment.ts';

/** Places that are named. */
const MOST_PLACES = 5;

/** How a replay compares with its recorded run, in one line. */
export function replaySummary({ comparison, edited }: Pick<ReplayReport, 'comparison' | 'edited'>): string {
  const { equal, end, result, writes, calls, console } = comparison;
  if (equal) return edited ? 'Identical: this text does the same' : 'Identical: result, writes, calls and console';
  const parts = [
    end.length > 0 && 'end',
    result.length > 0 && 'result',
    writes.length > 0 && 'writes',
    calls.length > 0 && 'calls',
    console.length > 0 && 'console',
  ].filter((part) => part !== false);
  const [last, ...others] = parts.toReversed();
  const list = others.length === 0 ? last : `${others.toReversed().join(', ')} and ${last}`;
  return `Different: ${list}`;
}

/** The masked places of a capsule; null if there are none. */
export function maskedText({ places, more }: Capsule['masked']): string | null {
  const count = places.length + more;
  if (count === 0) return null;
  const named = places.slice(0, MOST_PLACES).join(', ');
  const rest = count > MOST_PLACES ? `, and ${(count - MOST_PLACES).toLocaleString('en')} more` : '';
  return `Secrets are masked in ${count === 1 ? '1 place' : `${count.toLocaleString('en')} places`}: ${named}${rest}`;
}

/** The saved script of a run. */
export function scriptText(script: { name: string | null; version: number | null } | null): string {
  if (!script || script.name === null) return 'Text that was not saved';
  return script.version === null ? script.name : `${script.name}, version ${script.version}`;
}

/** The name of the file of a capsule: `Line-1-OEE-2026-01-31-140509.capsule.json`. */
export function capsuleFileName(name: string | null, { report }: Pick<OpenedCapsule, 'report'>): string {
  const words = (name ?? 'run').replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-+|-+$/g, '');
  const at = moment(new Date(report.timing.startedAt)).replace(/:/g, '').replace(' ', '-');
  return `${words.slice(0, 80) || 'run'}-${at}.capsule.json`;
}

/** What a list shows of a run, after its time and status. */
export function runNote({ script, dryRun, from, error }: KeptRun): string {
  const parts = [script ? `Version ${script.version}` : 'Text that was not saved'];
  if (dryRun) parts.push('dry run');
  if (from === 'command line') parts.push('command line');
  if (error !== null) parts.push(error);
  return parts.join(' · ');
}
