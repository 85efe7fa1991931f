import { Switch } from '@fluentui/react-components';
import type { NotRun } from '../model/live.ts';
import { useScripts } from '../scripts-context.ts';
import styles from './preview.module.css';

/** Switches live runs on and off. */
export function LiveSwitch({ on, onTurn }: { on: boolean; onTurn: (on: boolean) => void }) {
  return (
    <Switch
      className={styles.live}
      label="Live"
      checked={on}
      aria-keyshortcuts="Alt+L"
      title="Dry-run while typing (Alt+L): keeps nothing, API calls are answered by mocks only"
      onChange={(_event, { checked }) => onTurn(checked)}
    />
  );
}

/** Chooses between the last live run and the last run by hand, where there are both. */
export function WhichRun({ live, onChoose }: { live: boolean; onChoose: (live: boolean) => void }) {
  return (
    <span className={styles.which} role="group" aria-label="Which run is shown">
      <button type="button" aria-pressed={live} onClick={() => onChoose(true)}>
        Live
      </button>
      <button type="button" aria-pressed={!live} onClick={() => onChoose(false)}>
        By hand
      </button>
    </span>
  );
}

/** Why the text as it is now was not run live. What is shown is of an earlier text. */
export function NotRunLine({ notRun: { why, line, column } }: { notRun: NotRun }) {
  const { editor } = useScripts();
  return (
    <p className={styles.notRun}>
      Not run live: {why}{' '}
      {line !== null && (
        <button type="button" className={styles.link} onClick={() => editor.get()?.goTo(line, column ?? 1)}>
          line {line}
        </button>
      )}
    </p>
  );
}
