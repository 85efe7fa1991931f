import { useState } from 'react';
import { RULE_LIMITS, type Rule, type RuleState } from '#domain/rule/rule';
import { outputFormats, type TagFormats, useTagFormats } from '../../client/tag-formats.ts';
import { openPane } from '../../frame/panes/panes.ts';
import { useWhySubject } from '../../frame/why/use-why.ts';
import { useCommands, useWorkbench } from '../../frame/workbench.ts';
import { Button, Tab, TabList } from '../../ui/fluent.ts';
import { FlashRegular, WarningFilled } from '../../ui/icons.ts';
import { remember, remembered } from '../../support/local-storage.ts';
import { CountField } from '../../ui/fields/count-field.tsx';
import { typedWhole } from '#domain/text/typed-number';
import type { RuleForm } from './model/rule-form.ts';
import { PreviewPane } from './preview-pane.tsx';
import { RowsPane } from './rows-pane.tsx';
import type { Preview } from './use-preview.ts';
import type { RuleActions } from './use-rule-actions.ts';
import styles from './aggregations.module.css';
import { shownAs, wholeValue } from '../../support/shown-value.ts';
import { windowSpan } from '../../support/moment.ts';

type SidePane = 'preview' | 'rows';

const RANGE = { min: 1, max: RULE_LIMITS.firings };

interface Props {
  /** undefined for an unsaved rule. */
  rule: Rule | undefined;
  state: RuleState | null;
  form: RuleForm;
  preview: Preview;
  actions: RuleActions;
  active: boolean;
}

/** Next to the editor: the open window, the preview, and the rows of the rule. */
export function Side({ rule, state, form, preview, actions, active }: Props) {
  const { client, commands, show } = useWorkbench();
  const formats = useTagFormats(client, active);
  const [pane, setPane] = useState<SidePane>(() => remembered<SidePane>('aggregations.pane', 'preview'));
  const [times, setTimes] = useState('1');
  const count = typedWhole(times, RANGE);
  const canFire = rule !== undefined && count.ok;
  const choose = (next: SidePane) => {
    remember('aggregations.pane', next);
    setPane(next);
    openPane('rule-side');
  };
  const fire = () => (rule && count.ok ? actions.fire(rule, count.value) : undefined);
  const showEvents = () => rule && show('events', `rule:${rule.id}`);
  const hasEvents = rule !== undefined && commands.all().some(({ id }) => id === 'view.events');
  const section = 'Aggregations';
  useCommands([
    { id: 'rules.fire', section, title: 'Fire the rule', keys: 'F5', enabled: active && canFire, run: fire },
    {
      id: 'rules.preview',
      section,
      title: 'Show the preview of the rule',
      keys: 'Alt+1',
      enabled: active,
      run: () => choose('preview'),
    },
    {
      id: 'rules.rows',
      section,
      title: 'Show the rows of the rule',
      keys: 'Alt+2',
      enabled: active && rule !== undefined,
      run: () => choose('rows'),
    },
    {
      id: 'rules.events',
      section,
      title: 'Show the events of the rule',
      keys: 'Alt+3',
      enabled: active && hasEvents,
      run: showEvents,
    },
  ]);
  const shown = rule ? pane : 'preview';
  useWhySubject(rule && shown === 'preview' ? `rule:${rule.id}` : null, active);
  return (
    <div className={styles.side}>
      {rule && (
        <div className={styles.fire}>
          <Button
            size="small"
            icon={<FlashRegular />}
            aria-keyshortcuts="F5"
            disabledFocusable={!canFire}
            onClick={() => void fire()}
          >
            Fire saved rule
          </Button>
          <label>
            ×
            <CountField value={times} range={RANGE} active={active} onChange={setTimes} />
          </label>
          {hasEvents && (
            <Button size="small" appearance="subtle" className={styles.toEvents} onClick={showEvents}>
              Events of this rule
            </Button>
          )}
        </div>
      )}
      {rule && <WindowNow rule={rule} state={state} formats={formats} />}
      <TabList
        size="small"
        selectedValue={shown}
        onTabSelect={(_event, { value }) => choose(value === 'rows' ? 'rows' : 'preview')}
      >
        <Tab value="preview">Preview</Tab>
        {rule && <Tab value="rows">Rows</Tab>}
      </TabList>
      <div className={styles.pane} role="tabpanel" aria-label={shown === 'rows' ? 'Rows' : 'Preview'}>
        {rule && shown === 'rows' ? (
          <RowsPane
            key={rule.id}
            rule={rule}
            version={`${state?.firings ?? 0} ${rule.savedAt}`}
            active={active}
            formats={formats}
          />
        ) : (
          <PreviewPane
            preview={preview}
            form={form}
            blank={form.tags.every(({ path }) => path.trim() === '')}
            formats={formats}
          />
        )}
      </div>
    </div>
  );
}

/** The open window with the current values of its outputs, and the problem of the rule, if any. */
function WindowNow({ rule, state, formats }: { rule: Rule; state: RuleState | null; formats: TagFormats }) {
  const window = rule.enabled ? state?.window : null;
  const ofOutputs = outputFormats(rule.outputs, formats);
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
            <dd>{windowSpan(window)}</dd>
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
              <dd title={wholeValue(window.outputs[place] ?? null)}>
                {shownAs(window.outputs[place] ?? null, ofOutputs.get(name))}
              </dd>
            </div>
          ))}
        </dl>
      ) : (
        <p>{rule.enabled ? 'No window is open.' : 'The rule is disabled: it takes no samples.'}</p>
      )}
    </div>
  );
}
