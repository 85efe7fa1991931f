import { useEffect, useRef } from 'react';
import { Tooltip } from '../../ui/fluent.ts';
import { ServerRegular } from '../../ui/icons.ts';
import { useWorkbench } from '../workbench.ts';
import styles from '../frame.module.css';

/** As in `app.status`. */
interface Counts {
  idle: number;
  busy: number;
  starting: number;
  restarts: number;
  /** Busy hosts whose scripts wait for the network. */
  waiting?: number;
  /** How many can wait without delaying others. */
  waitingMost?: number;
  /** Runs that wait for a host. */
  queued?: number;
  /** Queued runs that are held back because others of their script wait. */
  held?: number;
  /** Hosts that were ended because they broke the protocol. */
  protocolViolations?: number;
  /** Why no host can be started. */
  problem?: string;
}

interface Props extends Counts {
  /** What the operating system enforces on them; undefined until it is known. */
  sandbox: string | undefined;
}

/** The state of the script hosts: how many are idle, busy or waiting, and how often one was restarted. */
export function Hosts(props: Props) {
  const { idle, busy, starting, restarts, waiting = 0, waitingMost, queued = 0, held = 0 } = props;
  const { protocolViolations = 0, problem, sandbox } = props;
  const { show } = useWorkbench();
  useRestartNotice(restarts);
  const parts = [
    `${idle} idle`,
    busy > 0 ? `${busy} busy` : '',
    waiting > 0 ? `${waiting} waiting` : '',
    starting > 0 ? `${starting} starting` : '',
    queued > 0 ? `${queued} queued${held > 0 ? ` (${held} held back)` : ''}` : '',
    restarts > 0 ? `${restarts} restarted` : '',
    protocolViolations > 0 ? `${protocolViolations} broke the protocol` : '',
    problem === undefined ? '' : 'cannot start',
  ].filter((part) => part !== '');
  const about = [
    problem === undefined ? '' : `Scripts do not run: ${problem}. Open Diagnostics in Settings.`,
    'Script hosts: separate processes that run scripts. Waiting hosts wait for the network; queued runs wait for a host. A crashed host is restarted.',
    waitingMost === undefined ? '' : `Up to ${waitingMost} scripts can wait at a time.`,
    held === 0
      ? ''
      : 'Runs are held back while other runs of their script wait for a slow system, so that other scripts are not delayed.',
    protocolViolations === 0
      ? ''
      : `${protocolViolations} sent invalid messages and ${protocolViolations === 1 ? 'was' : 'were'} ended; see host.violated in the log.`,
    sandbox === undefined ? '' : `OS sandbox: ${sandbox}`,
    'Click to open their settings.',
  ].filter((part) => part !== '');
  return (
    // A button, so that the keyboard reaches the tooltip.
    <Tooltip content={about.join(' ')} relationship="description">
      <button type="button" className={styles.statusButton} onClick={() => show('settings', 'Script hosts')}>
        <ServerRegular aria-hidden />
        <span className={styles.statusText}>Hosts: {parts.join(', ')}</span>
      </button>
    </Tooltip>
  );
}

/** Shows a notice when a host was restarted while this window was open. */
function useRestartNotice(restarts: number): void {
  const { notify } = useWorkbench();
  const known = useRef(restarts);
  useEffect(() => {
    const more = restarts - known.current;
    known.current = restarts;
    if (more <= 0) return;
    notify({
      intent: 'warning',
      title: more === 1 ? 'A script host was restarted' : `${more} script hosts were restarted`,
      body: 'A script crashed or hung, so its host was restarted. Other runs were not affected.',
    });
  }, [restarts, notify]);
}
