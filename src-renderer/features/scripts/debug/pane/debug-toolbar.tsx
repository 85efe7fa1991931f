import { ariaKeys, shownKeys } from '../../../../frame/palette/keys.ts';
import { Button } from '../../../../ui/fluent.ts';
import type { DebugControl } from '../debug-controls.tsx';
import styles from './debug.module.css';

/** The buttons of the debugged run. */
export function DebugToolbar({ controls }: { controls: readonly DebugControl[] }) {
  // Continue and Pause are one button, which keeps the focus.
  const isRunning = controls.some(({ id, enabled }) => id === 'pause' && enabled);
  const shown = controls.filter(({ id }) => id !== (isRunning ? 'continue' : 'pause'));
  return (
    <div className={styles.toolbar} role="toolbar" aria-label="Debugged run">
      {shown.map(({ id, label, keys, icon, enabled, run }) => (
        <Button
          key={id === 'pause' ? 'continue' : id}
          size="small"
          appearance="subtle"
          icon={
            <span className={styles.control} data-control={id}>
              {icon}
            </span>
          }
          disabledFocusable={!enabled}
          aria-label={label}
          aria-keyshortcuts={ariaKeys(keys)}
          title={`${label} (${shownKeys(keys)})`}
          onClick={run}
        />
      ))}
    </div>
  );
}
