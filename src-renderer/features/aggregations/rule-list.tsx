import { useCallback, useMemo } from 'react';
import type { KeyboardEvent } from 'react';
import type { RuleWindow } from '#domain/rule/rule';
import type { Choice } from '../../ui/fields/choice-field.tsx';
import { WarningFilled } from '../../ui/icons.ts';
import { useKeptLook } from '../../ui/lists/grid-look.ts';
import { type RowOrder, TIME_SORT, useSortedRows } from '../../ui/lists/sorted-rows.ts';
import { VirtualGrid } from '../../ui/lists/virtual-grid.tsx';
import type { GridColumn } from '../../ui/lists/virtual-grid.tsx';
import { TableTime, TIME_WIDTH } from '../../ui/text/table-time.tsx';
import type { RuleListRow } from './model/list-rows.ts';
import { windowText } from './model/list-rows.ts';
import { windowSpan } from '../../support/moment.ts';
import { SAMPLING_CHOICES, WINDOW_CHOICES } from './rule-choices.ts';
import type { RuleActions } from './use-rule-actions.ts';
import styles from './aggregations.module.css';

/** New rules stay on top. */
const ORDER: RowOrder<RuleListRow> = { keyOf: ({ key }) => key, isFirst: ({ rule }) => rule === null };

interface Props {
  rows: readonly RuleListRow[];
  selected: string | null;
  actions: RuleActions;
  onSelect: (key: string) => void;
  /** With Enter: the focus moves to the editor. */
  onOpen: () => void;
  onDelete: () => void;
}

/**
 * The rules with their status. Space enables or disables the selected one, T turns its events on or off, Delete asks
 * for confirmation.
 */
export function RuleList({ rows: given, selected, actions, onSelect, onOpen, onDelete }: Props) {
  const columns = useMemo(() => columnsOf(actions), [actions]);
  const kept = useKeptLook('rules', { name: 'Rule', descending: false });
  const rows = useSortedRows(given, kept, columns, ORDER);
  const rowAt = useCallback((index: number) => rows[index], [rows]);
  const activeIndex = rows.findIndex(({ key }) => key === selected);
  const onKey = (event: KeyboardEvent) => {
    const rule = rows[activeIndex]?.rule;
    const plain = !event.ctrlKey && !event.altKey && !event.metaKey;
    const use = (work: () => void) => {
      event.preventDefault();
      work();
    };
    if (plain && event.key === 'Delete') use(onDelete);
    if (plain && event.key === ' ' && rule) use(() => void actions.toggle(rule, 'enabled'));
    if (plain && event.key.toLowerCase() === 't' && rule) use(() => void actions.toggle(rule, 'triggersEvents'));
  };
  return (
    <VirtualGrid
      label="Rules"
      columns={columns}
      kept={kept}
      count={rows.length}
      rowAt={rowAt}
      activeIndex={activeIndex}
      onChoose={(index) => {
        const row = rows[index];
        if (row) onSelect(row.key);
      }}
      onOpen={onOpen}
      onKey={onKey}
    />
  );
}

function columnsOf(actions: RuleActions): GridColumn<RuleListRow>[] {
  const toggle = (row: RuleListRow, what: 'enabled' | 'triggersEvents', label: string) => {
    const { rule } = row;
    if (!rule) return '';
    return (
      <input
        type="checkbox"
        className={styles.check}
        tabIndex={-1}
        aria-label={`${label}: ${rule.name}`}
        checked={rule[what]}
        onChange={() => void actions.toggle(rule, what)}
      />
    );
  };
  const stateOf = (row: RuleListRow) => (row.rule?.enabled === false ? null : row.state);
  return [
    {
      name: 'Rule',
      keep: 'shown',
      width: 'minmax(150px, 2.2fr)',
      cell: nameCell,
      hint: nameHint,
      sort: { by: ({ name }) => name },
    },
    {
      name: 'Enabled',
      width: '82px',
      cell: (row) => toggle(row, 'enabled', 'Enabled'),
      sort: { titles: ['Sort, enabled first', 'Sort, disabled first'], by: rankBy('enabled'), changes: true },
    },
    {
      name: 'Events',
      width: '58px',
      cell: (row) => toggle(row, 'triggersEvents', 'Triggers Events'),
      sort: { titles: ['Sort, with events first', 'Sort, without first'], by: rankBy('triggersEvents'), changes: true },
    },
    {
      name: 'Window',
      width: 'minmax(84px, 1fr)',
      cell: ({ rule }) => (rule ? windowText(rule.window) : ''),
      hint: ({ rule }) => (rule ? windowText(rule.window) : ''),
      sort: { by: ({ rule }) => windowOrder(rule?.window) },
    },
    {
      name: 'Open since',
      id: 'Open window',
      width: TIME_WIDTH,
      cell: (row) => {
        const window = stateOf(row)?.window;
        if (!window) return row.rule?.enabled === false ? 'off' : row.rule ? 'none' : '';
        return <TableTime at={new Date(window.start)} />;
      },
      hint: (row) => {
        const window = stateOf(row)?.window;
        return window ? `Open window: ${windowSpan(window)}` : '';
      },
    },
    {
      name: 'Samples',
      width: 'minmax(64px, 0.6fr)',
      look: 'number',
      cell: (row) => {
        const window = stateOf(row)?.window;
        const count =
          window && (window.badSamples === 0 ? window.samples : `${window.samples} (${window.badSamples} bad)`);
        return (
          <span className={styles.samples}>
            <ChoiceIcon choices={SAMPLING_CHOICES} value={samplingOf(row)} />
            {count}
          </span>
        );
      },
      hint: (row) => nameIn(SAMPLING_CHOICES, samplingOf(row)),
    },
    {
      name: 'Last fired',
      width: TIME_WIDTH,
      cell: ({ state }) => state?.lastFiredAt && <TableTime at={new Date(state.lastFiredAt)} />,
      sort: {
        ...TIME_SORT,
        by: ({ state }) => (state?.lastFiredAt ? Date.parse(state.lastFiredAt) : null),
        changes: true,
      },
    },
    {
      name: 'Firings',
      width: '66px',
      look: 'number',
      cell: ({ state }) => state?.firings ?? '',
      sort: { descendingFirst: true, by: ({ state }) => state?.firings ?? null, changes: true },
    },
    {
      name: 'Problem',
      width: 'minmax(60px, 2fr)',
      cell: ({ state }) =>
        state?.problem ? (
          <span className={styles.problem}>
            <WarningFilled aria-hidden />
            <span>{state.problem}</span>
          </span>
        ) : (
          ''
        ),
      hint: ({ state }) => state?.problem ?? '',
      sort: {
        titles: ['Sort, problems first', 'Sort, problems last'],
        by: ({ state }) => state && (state.problem ? 0 : 1),
        changes: true,
      },
    },
  ];
}

const rankBy =
  (what: 'enabled' | 'triggersEvents') =>
  ({ rule }: RuleListRow) =>
    rule && (rule[what] ? 0 : 1);

/** By duration, then those without one. */
function windowOrder(window: RuleWindow | undefined): number | string | null {
  return window ? (window.kind === 'tumbling' ? window.everyMs : windowText(window)) : null;
}

const windowOf = ({ rule, draft }: RuleListRow) => rule?.window.kind ?? draft?.form.window;
const samplingOf = ({ rule, draft }: RuleListRow) => rule?.sampling.kind ?? draft?.form.sampling;

interface ChoiceIconProps<Value extends string> {
  choices: readonly Choice<Value>[];
  value: Value | undefined;
}

const nameIn = <Value extends string>(choices: readonly Choice<Value>[], value: Value | undefined) =>
  choices.find((choice) => choice.value === value)?.name ?? '';

/** The icon of a choice, as in its field; its name is a tooltip. */
function ChoiceIcon<Value extends string>({ choices, value }: ChoiceIconProps<Value>) {
  const choice = choices.find((one) => one.value === value);
  return (
    choice && (
      <span className={styles.choice} title={choice.name} aria-hidden>
        <choice.icon />
      </span>
    )
  );
}

function nameCell(row: RuleListRow) {
  const { name, rule, draft } = row;
  return (
    <span className={styles.name} data-off={rule?.enabled === false}>
      <ChoiceIcon choices={WINDOW_CHOICES} value={windowOf(row)} />
      <span className={styles.cut}>{name.trim() === '' ? <em>New rule</em> : name}</span>
      {draft && <span className={styles.unsaved}>{rule ? '● unsaved' : '● new'}</span>}
    </span>
  );
}

function nameHint({ name, rule }: RuleListRow): string {
  return `${name}\n${rule?.description ?? ''}`.trim();
}
