import { useEffect, useMemo, useRef, useState } from 'react';
import { Group, Panel, useDefaultLayout } from 'react-resizable-panels';
import { focusField } from '../../frame/focus-field.ts';
import { focusInPane, focusPane } from '../../frame/panes/panes.ts';
import { SidePane } from '../../frame/panes/side-pane.tsx';
import type { ViewProps } from '../../frame/view.ts';
import { useCommands, useWorkbench } from '../../frame/workbench.ts';
import { FilterField } from '../../ui/fields/filter-field.tsx';
import { Button, Radio, RadioGroup, Text } from '../../ui/fluent.ts';
import { AddRegular } from '../../ui/icons.ts';
import { Splitter } from '../../ui/split.tsx';
import { useStore } from '../../support/store.ts';
import { type RuleListRow, listRows } from './model/list-rows.ts';
import { RulesModel } from './model/rules-model.ts';
import { RuleList } from './rule-list.tsx';
import { RuleWorkplace } from './rule-workplace.tsx';
import { useRuleActions } from './use-rule-actions.ts';
import styles from './aggregations.module.css';
import type { Rule } from '#domain/rule/rule';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';

const PANELS = ['aggregations-list', 'aggregations-rule'];

/** The rules with their status, and the selected one with its definition, preview and rows. */
export function AggregationsView({ active, target }: ViewProps) {
  const { client, notify } = useWorkbench();
  const [model] = useState(() => new RulesModel(client));
  const state = useStore(model.store);
  const [filter, setFilter] = useState('');
  const [deleting, setDeleting] = useState<RuleListRow | null>(null);
  const filterField = useRef<HTMLInputElement>(null);
  const actions = useRuleActions(model);
  const layout = useDefaultLayout({ id: 'tagwright.aggregations', panelIds: PANELS, storage: localStorage });
  const rows = useMemo(() => listRows(state, filter), [state, filter]);
  const { selected } = state;
  const chosen = useMemo(() => listRows(state, '').find(({ key }) => key === selected) ?? null, [state, selected]);

  /** Whether the list was read since the view is active. */
  const [isCurrent, setIsCurrent] = useState(false);
  useEffect(() => {
    if (!active) return undefined;
    const end = new AbortController();
    void model.follow(end.signal).then(() => setIsCurrent(!end.signal.aborted));
    return () => {
      end.abort();
      setIsCurrent(false);
    };
  }, [model, active]);
  // A requested rule is shown even if the filter would hide it.
  const [followed, setFollowed] = useState<ViewProps['target']>(null);
  if (target !== followed) {
    setFollowed(target);
    setFilter('');
  }
  useEffect(() => {
    if (!target) return undefined;
    model.select(model.keyOf(Number(target.what)));
    return target.place && focusField('rule-editor', target.place);
  }, [model, target]);
  // If there are rules, one is always selected. A requested one may be newer than the list that was read before.
  useEffect(() => {
    if (chosen !== null || !isCurrent) return;
    if (target && selected === model.keyOf(Number(target.what)))
      notify({ intent: 'info', title: 'The rule no longer exists', body: 'It was deleted: another one is shown.' });
    const first = rows[0]?.key ?? null;
    if (first !== selected) model.select(first);
  }, [model, chosen, rows, isCurrent, target, selected, notify]);

  const create = () => {
    setFilter('');
    model.create();
    setTimeout(() => focusPane('rule-editor'), 0);
  };
  const remove = (row: RuleListRow | null) => {
    if (row?.rule) setDeleting(row);
    else if (row) actions.discard(row.key);
  };
  const section = 'Aggregations';
  const rule = chosen?.rule ?? null;
  useCommands([
    { id: 'rules.new', section, title: 'New rule', keys: 'Alt+N', enabled: active, run: create },
    {
      id: 'rules.filter',
      section,
      title: 'Filter the rules',
      keys: 'Ctrl+F',
      enabled: active,
      run: () => focusInPane('rule-list', () => filterField.current),
    },
    {
      id: 'rules.duplicate',
      section,
      title: 'Duplicate the rule',
      keys: 'Ctrl+D',
      enabled: active && chosen !== null,
      run: () => {
        model.duplicate(chosen?.key ?? '');
        setTimeout(() => focusPane('rule-editor'), 0);
      },
    },
    {
      id: 'rules.delete',
      section,
      title: 'Delete the rule',
      enabled: active && chosen !== null,
      run: () => remove(chosen),
    },
    {
      id: 'rules.enable',
      section,
      title: rule?.enabled ? 'Disable the rule' : 'Enable the rule',
      enabled: active && rule !== null,
      run: () => (rule ? actions.toggle(rule, 'enabled') : undefined),
    },
    {
      id: 'rules.triggersEvents',
      section,
      title: rule?.triggersEvents ? 'Turn events off' : 'Turn events on',
      enabled: active && rule !== null,
      run: () => (rule ? actions.toggle(rule, 'triggersEvents') : undefined),
    },
  ]);

  if (state.problem) {
    return (
      <div className={styles.empty} role="alert">
        <Text weight="semibold">The rules could not be loaded.</Text>
        <Text>{state.problem.message}</Text>
      </div>
    );
  }
  if (state.loaded && state.rules.length === 0 && state.drafts.size === 0) return <Empty onCreate={create} />;
  return (
    <Group className={styles.view} orientation="vertical" {...layout}>
      <SidePane
        id="aggregations-list"
        side="top"
        title="list of rules"
        active={active}
        className={styles.panel}
        least={110}
        size="22%"
      >
        <section className={styles.list} aria-label="Rule list" data-pane="rule-list">
          <header className={styles.bar}>
            <FilterField
              field={filterField}
              className={styles.filter}
              label="Filter rules"
              placeholder="Filter by name, description or tag"
              value={filter}
              onChange={setFilter}
            />
            <Button size="small" icon={<AddRegular />} aria-keyshortcuts="Alt+N" onClick={create}>
              New rule
            </Button>
            <Button
              size="small"
              appearance="subtle"
              disabledFocusable={chosen === null}
              onClick={() => chosen && model.duplicate(chosen.key)}
            >
              Duplicate
            </Button>
            <Button size="small" appearance="subtle" disabledFocusable={chosen === null} onClick={() => remove(chosen)}>
              Delete
            </Button>
            <span className={styles.count} role="status">
              {state.loaded ? `${state.rules.length} ${state.rules.length === 1 ? 'rule' : 'rules'}` : ''}
            </span>
          </header>
          {state.loaded && rows.length === 0 ? (
            <p className={styles.hint}>
              No rules match.{' '}
              <Button size="small" onClick={() => setFilter('')}>
                Show all rules
              </Button>
            </p>
          ) : (
            <RuleList
              rows={rows}
              selected={selected}
              actions={actions}
              onSelect={(key) => model.select(key)}
              onOpen={() => void focusPane('rule-editor')}
              onDelete={() => remove(chosen)}
            />
          )}
        </section>
      </SidePane>
      <Splitter label="Height of the list" />
      <Panel id="aggregations-rule" className={styles.panel} minSize={220}>
        {chosen && (
          <RuleWorkplace
            key={model.identity(chosen.key)}
            model={model}
            row={chosen}
            actions={actions}
            active={active}
          />
        )}
      </Panel>
      {deleting?.rule && (
        <DeleteDialog
          rule={deleting.rule}
          onDelete={(what) => void (deleting.rule && actions.remove(deleting.rule, what))}
          onClose={() => {
            setDeleting(null);
            setTimeout(() => focusPane('rule-list'), 0);
          }}
        />
      )}
    </Group>
  );
}

function Empty({ onCreate }: { onCreate: () => void }) {
  return (
    <div className={styles.empty} data-pane="rule-list">
      <Text weight="semibold">There are no rules yet.</Text>
      <Text>
        A rule samples tags, collects the samples in windows, and creates a data row for each window, and an event if
        Triggers Events is on. Start with one source tag, a window of 10 s and its average; the preview shows the result
        before you save.
      </Text>
      <Button appearance="primary" icon={<AddRegular />} aria-keyshortcuts="Alt+N" onClick={onCreate}>
        New rule (Alt+N)
      </Button>
    </div>
  );
}

interface DeleteDialogProps {
  rule: Rule;
  onDelete: (rows: 'keep' | 'drop') => void;
  onClose: () => void;
}

/** Asks what to do with the rows of a deleted rule. */
function DeleteDialog({ rule, onDelete, onClose }: DeleteDialogProps) {
  const [rows, setRows] = useState<'keep' | 'drop'>('keep');
  return (
    <ConfirmDialog title={`Delete “${rule.name}”`} action="Delete" onConfirm={() => onDelete(rows)} onClose={onClose}>
      <p>The rule stops. What do you want to do with its data rows?</p>
      <RadioGroup
        aria-label="Data rows"
        value={rows}
        onChange={(_event, { value }) => setRows(value === 'drop' ? 'drop' : 'keep')}
      >
        <Radio value="keep" label={`Keep the table ${rule.resultTable} and its events`} />
        <Radio value="drop" label="Delete the rows and their events (can't be undone)" />
      </RadioGroup>
    </ConfirmDialog>
  );
}
