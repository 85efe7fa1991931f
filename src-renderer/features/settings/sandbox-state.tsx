import { useEffect, useState } from 'react';
import type { OsSandboxState } from '#domain/workspace/os-sandbox';
import { useWorkbench } from '../../frame/workbench.ts';
import { CheckmarkCircleFilled, WarningFilled } from '../../ui/icons.ts';
import styles from './settings.module.css';

/** What the operating system enforces on the processes that run scripts and SQL. */
export function SandboxState() {
  const { client } = useWorkbench();
  const [state, setState] = useState<OsSandboxState | null>(null);
  useEffect(() => {
    const end = new AbortController();
    client.app.info(undefined, { signal: end.signal }).then(
      ({ sandbox }) => setState(sandbox),
      () => setState(null),
    );
    return () => end.abort();
  }, [client]);
  if (state === null) return null;
  return (
    <div className={styles.row}>
      <div className={styles.about}>
        <span className={styles.title}>OS sandbox on this machine</span>
        <span className={styles.help}>{state.summary}</span>
      </div>
      <ul className={styles.layers} aria-label={`${state.system} enforces`}>
        {state.layers.map(({ name, active, reason }) => (
          <li key={name} data-active={active}>
            {active ? <CheckmarkCircleFilled aria-hidden /> : <WarningFilled aria-hidden />}
            <span>
              <strong>{name}</strong>
              {active ? '' : ' (not enforced)'}: {reason}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
