import type { HubStatus } from '#domain/event/hub';
import { grouped } from '#domain/text/grouped';
import type { Check, DiagnosticFinding, RunningInstance, CheckInput } from './check.ts';
import { counted, notChecked, ok, problem, warning } from './check.ts';
import { settingsOf } from './setting-checks.ts';

/** A mirror that is behind for longer than this has a problem, ms. */
const BEHIND_MS = 5 * 60_000;

/** Whether the events of this workspace reach its hub. */
export const HUB_CHECKS: readonly Check[] = [{ id: 'hub.mirror', group: 'Hub', title: 'Mirror', run: mirror }];

function mirror({ instance, facts, now }: CheckInput): DiagnosticFinding {
  if (instance) return mirrorFinding(instance, now);
  const { 'hub.site': site, 'hub.url': url } = settingsOf(facts);
  if (site === '' && url === '') return ok('no hub is set');
  return notChecked(`no instance runs, so nothing is mirrored${site === '' ? '' : ` as site "${site}"`}`);
}

export function mirrorFinding(instance: Pick<RunningInstance, 'hub'>, now: number): DiagnosticFinding {
  const status = instance.hub.status();
  const { state, problem: why, site } = status;
  if (state === 'off') {
    return why === null ? ok('no hub is set') : warning(why, 'Store the address of the hub again: setting hub.url.');
  }
  if (state === 'stopped') return problem(`stopped: ${why ?? 'the reason is not known'}`, 'Do what the message says.');
  const lag = lagText(status, now);
  if (state === 'waiting') {
    return warning(
      `the hub is not connected; it ${lag}: ${why ?? 'the first connection is being opened'}`,
      'Nothing is lost: the mirror retries automatically, and catches up. See "When the mirror stops" on the page "Hub and gateways" of the manual (F1 in the window).',
    );
  }
  const since = status.mirroredAt === null ? 0 : now - Date.parse(status.mirroredAt);
  if ((status.waiting ?? 0) > 0 && since > BEHIND_MS) {
    return warning(`site "${site}" is connected and ${lag}`, 'Check the load of the database and of the network.');
  }
  return ok(`site "${site}" is connected and ${lag}`);
}

function lagText({ waiting, listed, mirroredAt }: HubStatus, now: number): string {
  if (listed !== null) return `copies its first list, events up to ${grouped(listed)}`;
  if (waiting === 0) return 'has everything';
  const behind = waiting === null ? '' : `, ${counted(waiting, 'change')} behind`;
  if (mirroredAt === null) return `has not had everything since the start${behind}`;
  return `had everything ${Math.max(0, Math.round((now - Date.parse(mirroredAt)) / 1_000))} s ago${behind}`;
}
