import { Button, ProgressBar } from '../../../ui/fluent.ts';
import { StopFilled } from '../../../ui/icons.ts';
import { useStore } from '../../../support/store.ts';
import { useScripts } from '../scripts-context.ts';
import styles from './explorer.module.css';

/** The progress of "Run all tests", and its result. */
export function TestSeriesLine() {
  const { tests } = useScripts();
  const series = useStore(tests.store, (state) => state.series);
  if (!series?.all) return null;
  const { done, total, failed, ended } = series;
  if (ended === 'no') {
    return (
      <div className={styles.series}>
        <span>
          Test {Math.min(done + 1, total)} of {total}
        </span>
        <ProgressBar aria-label="Progress of the tests" value={done} max={total} />
        <Button
          size="small"
          appearance="subtle"
          icon={<StopFilled />}
          aria-label="Stop the tests"
          title="Stop the tests"
          onClick={() => tests.cancel()}
        />
      </div>
    );
  }
  const result = `${done - failed} of ${total.toLocaleString('en')} ${total === 1 ? 'test' : 'tests'} passed`;
  return (
    <p className={styles.series} role="status" data-failed={failed > 0}>
      {ended === 'cancelled' ? `Stopped: ${result}` : result}
    </p>
  );
}
