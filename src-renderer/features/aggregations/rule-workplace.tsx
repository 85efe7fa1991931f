import { useMemo } from 'react';
import { Group, Panel, useDefaultLayout } from 'react-resizable-panels';
import { formOf, newForm } from './model/rule-form.ts';
import type { RuleListRow } from './model/list-rows.ts';
import type { RulesModel } from './model/rules-model.ts';
import { SidePane } from '../../frame/panes/side-pane.tsx';
import { useStore } from '../../support/store.ts';
import { Splitter } from '../../ui/split.tsx';
import { RuleEditor } from './rule-editor.tsx';
import { Side } from './side.tsx';
import { usePreview } from './use-preview.ts';
import type { RuleActions } from './use-rule-actions.ts';
import styles from './aggregations.module.css';

const PANELS = ['aggregations-rule-editor', 'aggregations-rule-side'];

interface Props {
  model: RulesModel;
  row: RuleListRow;
  actions: RuleActions;
  active: boolean;
}

/** One rule: its editor next to its results. */
export function RuleWorkplace({ model, row, actions, active }: Props) {
  const { rule, draft, state } = row;
  const rules = useStore(model.store, ({ rules: all }) => all);
  const names = useMemo(() => rules.filter(({ id }) => id !== rule?.id).map(({ name }) => name), [rules, rule]);
  const keeps = useStore(model.store, ({ keeps: kept }) => kept);
  const form = useMemo(() => draft?.form ?? (rule ? formOf(rule) : newForm()), [draft, rule]);
  const preview = usePreview(form, rule?.id ?? null, active);
  const layout = useDefaultLayout({ id: 'tagwright.aggregations.rule', panelIds: PANELS, storage: localStorage });
  return (
    <Group className={styles.view} orientation="horizontal" {...layout}>
      <Panel id="aggregations-rule-editor" className={styles.panel} minSize={380}>
        <section className={styles.editorPane} aria-label="Rule editor" data-pane="rule-editor">
          <RuleEditor
            model={model}
            actions={actions}
            row={row}
            form={form}
            found={preview.issues}
            keeps={keeps}
            names={names}
            active={active}
          />
        </section>
      </Panel>
      <Splitter label="Width of the editor" />
      <SidePane
        id="aggregations-rule-side"
        side="right"
        title="results of the rule"
        active={active}
        className={styles.panel}
        least={320}
        size="58%"
        keeps="fraction"
      >
        <section className={styles.sidePane} aria-label="Results of the rule" data-pane="rule-side">
          <Side
            rule={rule ?? undefined}
            state={state}
            form={form}
            preview={preview}
            actions={actions}
            active={active}
          />
        </section>
      </SidePane>
    </Group>
  );
}
