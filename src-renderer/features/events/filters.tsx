import { useState } from 'react';
import type { RefObject } from 'react';
import type { Rule } from '#domain/rule/rule';
import { Dropdown, Input, Option } from '../../ui/fluent.ts';
import { Cut } from '../../ui/text/cut.tsx';
import type { EventsFilter } from './model/event-feed.ts';
import styles from './events.module.css';

const ACTIVE_NAMES = { all: 'All', active: 'Active', disabled: 'Disabled' } as const;
const ALL_RULES = 'All rules';
const HOUR_MS = 3_600_000;
const PERIODS = [
  { name: 'Any time', ms: null },
  { name: 'Last hour', ms: HOUR_MS },
  { name: 'Last 24 hours', ms: 24 * HOUR_MS },
  { name: 'Last 7 days', ms: 7 * 24 * HOUR_MS },
] as const;
const BETWEEN = 'Between';

interface Props {
  filter: EventsFilter;
  newestFirst: boolean;
  rules: readonly Rule[];
  /** The container of the fields, as a focus target. */
  bar: RefObject<HTMLDivElement | null>;
  onFilter: (filter: EventsFilter) => void;
  onOrder: (newestFirst: boolean) => void;
}

/** The filter and the order of the list. */
export function Filters({ filter, newestFirst, rules, bar, onFilter, onOrder }: Props) {
  const [period, setPeriod] = useState<string>(PERIODS[0].name);
  const which = filter.active === null ? 'all' : filter.active ? 'active' : 'disabled';
  const named = rules.find(({ id }) => id === filter.ruleId)?.name;
  const ruleName = filter.ruleId === null ? ALL_RULES : (named ?? `Rule ${filter.ruleId}`);
  const choosePeriod = (name: string) => {
    setPeriod(name);
    const chosen = PERIODS.find((one) => one.name === name);
    if (chosen) onFilter({ ...filter, from: chosen.ms === null ? null : Date.now() - chosen.ms, to: null });
  };
  return (
    <>
      <div className={styles.bar} ref={bar}>
        <Dropdown
          size="small"
          className={styles.narrow ?? ''}
          aria-label="Filter by state"
          value={ACTIVE_NAMES[which]}
          selectedOptions={[which]}
          onOptionSelect={(_event, { optionValue }) =>
            onFilter({ ...filter, active: optionValue === 'all' ? null : optionValue === 'active' })
          }
        >
          {Object.entries(ACTIVE_NAMES).map(([value, name]) => (
            <Option key={value} value={value}>
              {name}
            </Option>
          ))}
        </Dropdown>
        <Dropdown
          size="small"
          aria-label="Filter by rule"
          value={ruleName}
          button={{ children: <Cut text={ruleName} /> }}
          selectedOptions={[String(filter.ruleId ?? '')]}
          onOptionSelect={(_event, { optionValue }) =>
            onFilter({ ...filter, ruleId: optionValue ? Number(optionValue) : null })
          }
        >
          <Option value="">{ALL_RULES}</Option>
          {rules.map(({ id, name }) => (
            <Option key={id} value={String(id)}>
              {name}
            </Option>
          ))}
        </Dropdown>
        <Dropdown
          size="small"
          className={styles.narrow ?? ''}
          aria-label="Filter by time"
          value={period}
          selectedOptions={[period]}
          onOptionSelect={(_event, { optionValue }) => optionValue !== undefined && choosePeriod(optionValue)}
        >
          {[...PERIODS.map(({ name }) => name), BETWEEN].map((name) => (
            <Option key={name} value={name}>
              {name}
            </Option>
          ))}
        </Dropdown>
        <Dropdown
          size="small"
          className={styles.narrow ?? ''}
          aria-label="Order"
          value={newestFirst ? 'Newest first' : 'Oldest first'}
          selectedOptions={[newestFirst ? 'newest' : 'oldest']}
          onOptionSelect={(_event, { optionValue }) => onOrder(optionValue === 'newest')}
        >
          <Option value="newest">Newest first</Option>
          <Option value="oldest">Oldest first</Option>
        </Dropdown>
      </div>
      {period === BETWEEN && <Moments filter={filter} onFilter={onFilter} />}
    </>
  );
}

/** From one time to another. */
function Moments({ filter, onFilter }: Pick<Props, 'filter' | 'onFilter'>) {
  return (
    <div className={styles.bar}>
      <Moment label="From" at={filter.from} onChange={(from) => onFilter({ ...filter, from })} />
      <Moment label="Before" at={filter.to} onChange={(to) => onFilter({ ...filter, to })} />
    </div>
  );
}

interface MomentProps {
  label: string;
  /** In ms of Date.now; null for none. */
  at: number | null;
  onChange: (at: number | null) => void;
}

/** A field for a local time; its text belongs to the user, so that a date can be typed part by part. */
function Moment({ label, at, onChange }: MomentProps) {
  return (
    <label className={styles.moments}>
      {label}
      <Input
        size="small"
        type="datetime-local"
        step={1}
        defaultValue={localText(at)}
        onChange={(_event, { value }) => onChange(value === '' ? null : new Date(value).getTime())}
      />
    </label>
  );
}

/** In the format of a local date and time field. */
function localText(at: number | null): string {
  if (at === null) return '';
  const local = new Date(at - new Date(at).getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 19);
}
