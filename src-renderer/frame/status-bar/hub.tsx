import type { HubStatus } from '#domain/event/hub';
import { Tooltip } from '../../ui/fluent.ts';
import { DatabaseRegular, PlugDisconnectedRegular } from '../../ui/icons.ts';
import { clock } from '../../support/moment.ts';
import { useWorkbench } from '../workbench.ts';
import styles from '../frame.module.css';

/** The mirror at a hub: whether it is connected, its delay, and its last problem. */
export function Hub(status: HubStatus) {
  const { show } = useWorkbench();
  const { state, site, url, problem } = status;
  const isConnected = state === 'connected';
  const about = [
    problem,
    `Events and data rows of this workspace are mirrored as site "${site}" to ${url}.`,
    isConnected || state === 'stopped' ? null : 'Nothing is lost: the mirror retries automatically, and catches up.',
    'Click to open its settings.',
  ];
  return (
    <Tooltip content={about.filter((part) => part !== null).join(' ')} relationship="description">
      <button type="button" className={styles.statusButton} onClick={() => show('settings', 'hub.url')}>
        {isConnected ? <DatabaseRegular aria-hidden /> : <PlugDisconnectedRegular aria-hidden />}
        <span className={styles.statusText}>{hubText(status)}</span>
      </button>
    </Tooltip>
  );
}

export function hubText({ state, listed, waiting, mirroredAt }: HubStatus): string {
  const behind = waiting === null || waiting === 0 ? '' : `, ${waiting.toLocaleString('en')} behind`;
  if (state === 'stopped') return 'Hub: stopped';
  if (state === 'connected') return listed === null ? `Hub: connected${behind}` : 'Hub: copying the first list';
  return `Hub: not connected${mirroredAt === null ? '' : ` since ${clock(new Date(mirroredAt))}`}${behind}`;
}
