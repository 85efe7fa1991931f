import { ArrowSyncRegular, CheckmarkCircleFilled, DismissCircleFilled } from '../../../ui/icons.ts';
import type { TestState } from '../model/script-tests.ts';
import styles from './tests.module.css';

const ICONS = {
  running: <ArrowSyncRegular />,
  passed: <CheckmarkCircleFilled />,
  failed: <DismissCircleFilled />,
  'not run': null,
};

/** The state of a test, or of all tests of a script. */
export function TestMark({ state, title = state }: { state: TestState | 'running'; title?: string }) {
  return (
    <span className={styles.mark} data-state={state} role="img" aria-label={title} title={title}>
      {ICONS[state]}
    </span>
  );
}
