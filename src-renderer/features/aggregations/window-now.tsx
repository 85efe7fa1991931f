import type { Rule, RuleState } from '#domain/rule/rule';
import { WarningFilled } from '../../ui/icons.ts';
import { shownLive } from '../../support/shown-value.ts';
import { clockText } from './model/times.ts';
import styles from './aggregations.module.css';

/** The open window with the current values of its outputs, and the problem of the rule, if any. */
export function WindowNow({ rule, state }: { rule: Rule; state: RuleState | null }) {
  const window = rule.enabled ? state?.window : null;
  return (
    <div className={styles.now} role="group" aria-label="Open window">
      {state?.problem && (
        <p className={styles.problem}>
          <WarningFilled aria-hidden />
          <span>{state.problem}</span>
        </p>
      )}
      {window ? (
        <dl>
          <div>
            <dt>Open window</dt>
            <dd>
              {clockText(window.start)} – {window.end === null ? 'open end' : clockText(window.end)}
            </dd>
          </div>
          <div>
            <dt>Samples</dt>
            <dd>
              {window.samples}
              {window.badSamples > 0 && `, ${window.badSamples} bad`}
            </dd>
          </div>
          {rule.outputs.map(({ name, column }, place) => (
            <div key={column}>
              <dt>{name}</dt>
              <dd>{shownLive(window.outputs[place] ?? null)}</dd>
            </div>
          ))}
        </dl>
      ) : (
        <p>{rule.enabled ? 'No window is open.' : 'The rule is disabled: it takes no samples.'}</p>
      )}
    </div>
  );
}
