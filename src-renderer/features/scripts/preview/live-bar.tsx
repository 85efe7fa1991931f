import { Switch } from '../../../ui/fluent.ts';
import type { NotRun } from '../model/live.ts';
import { MOST_RERUN_TAGS } from '../model/reruns.ts';
import type { ReadTags } from '../model/reruns.ts';
import { useScripts } from '../scripts-context.ts';
import styles from './preview.module.css';

/** Turns live runs on and off. */
export function LiveSwitch({ on, onTurn }: { on: boolean; onTurn: (on: boolean) => void }) {
  return (
    <Switch
      className={styles.live}
      label="Auto-run"
      checked={on}
      aria-keyshortcuts="Alt+L"
      title="Dry run while typing (Alt+L): saves nothing, uses mocks for API calls"
      onChange={(_event, { checked }) => onTurn(checked)}
    />
  );
}

/** Turns reruns on changes of tags on and off. */
export function RerunSwitch({ on, onTurn }: { on: boolean; onTurn: (on: boolean) => void }) {
  return (
    <Switch
      className={styles.rerun}
      label="Rerun when a tag changes"
      checked={on}
      aria-keyshortcuts="Alt+R"
      title="Dry run when a tag of the last run changes (Alt+R): saves nothing, at most once per second"
      onChange={(_event, { checked }) => onTurn(checked)}
    />
  );
}

/** The tags whose changes start a rerun. */
export function RerunLine({ scopes }: { scopes: readonly ReadTags[] }) {
  const count = scopes.reduce((sum, { paths }) => sum + paths.length, 0);
  const tags =
    count === 0
      ? 'The last run read no tags.'
      : `${count === MOST_RERUN_TAGS ? 'The first ' : ''}${count.toLocaleString('en')} ${count === 1 ? 'tag' : 'tags'} of the last run.`;
  return <span className={styles.rerunLine}>{tags} Dry runs only, at most one per second.</span>;
}

/** Switches between the last live run and the last manual run, if there are both. */
export function WhichRun({ live, onChoose }: { live: boolean; onChoose: (live: boolean) => void }) {
  return (
    <span className={styles.which} role="group" aria-label="Run to show">
      <button type="button" aria-pressed={live} onClick={() => onChoose(true)}>
        Auto-run
      </button>
      <button type="button" aria-pressed={!live} onClick={() => onChoose(false)}>
        Manual
      </button>
    </span>
  );
}

/** Why the current text was not run. The shown result belongs to an earlier text. */
export function NotRunLine({ notRun: { why, line, column } }: { notRun: NotRun }) {
  const { editor } = useScripts();
  return (
    <p className={styles.notRun}>
      Auto-run skipped: {why}{' '}
      {line !== null && (
        <button type="button" className={styles.link} onClick={() => editor.get()?.goTo(line, column ?? 1)}>
          line {line}
        </button>
      )}
    </p>
  );
}
