import type { TagKind, TagType } from '#domain/tag/tag';

/** How the text of a field is parsed and written. */
export type FieldSort =
  | 'number'
  | 'duration'
  | 'value'
  | 'text'
  | 'json'
  | 'sql'
  | 'expression'
  | 'recording'
  | 'flag'
  | 'signal'
  | 'script';

/** A member of the settings of a kind as a field of the form. */
export interface SettingField {
  /** The path of the member in the settings, joined by dots; also the name of the field: `signal.min`. */
  name: string;
  label: string;
  sort: FieldSort;
  /** Whether the member is optional. */
  optional?: boolean;
  hint?: string;
  placeholder?: string;
}

const INTERVAL: SettingField = {
  name: 'updateMs',
  label: 'Update every',
  sort: 'duration',
  optional: true,
  placeholder: '5 s',
};
const PERIOD: SettingField = { name: 'signal.periodMs', label: 'Period', sort: 'duration', placeholder: '1 min' };
const MIN: SettingField = { name: 'signal.min', label: 'Min', sort: 'number' };
const MAX: SettingField = { name: 'signal.max', label: 'Max', sort: 'number' };

const ofSignal = (name: string, label: string, sort: FieldSort, placeholder = ''): SettingField => ({
  name: `signal.${name}`,
  label,
  sort,
  ...(placeholder === '' ? {} : { optional: true, placeholder }),
});

const SIGNAL_FIELDS: Readonly<Record<string, readonly SettingField[]>> = {
  constant: [ofSignal('value', 'Value', 'value')],
  sine: [MIN, MAX, PERIOD, ofSignal('phase', 'Phase (0 to 1)', 'number', '0')],
  ramp: [MIN, MAX, PERIOD],
  square: [
    ofSignal('low', 'Low', 'value'),
    ofSignal('high', 'High', 'value'),
    PERIOD,
    ofSignal('duty', 'Share of high (0 to 1)', 'number', '0.5'),
  ],
  randomWalk: [
    MIN,
    MAX,
    ofSignal('step', 'Step', 'number'),
    ofSignal('seed', 'Seed', 'number', 'different for each tag'),
  ],
  counter: [
    ofSignal('start', 'Start', 'number'),
    ofSignal('increment', 'Increment', 'number'),
    { name: 'signal.everyMs', label: 'Every', sort: 'duration', placeholder: '10 s' },
    ofSignal('wrapAt', 'Restarts at', 'number', 'never'),
  ],
  csv: [
    {
      ...ofSignal('csv', 'Recording', 'recording', 'time,value\n2026-08-01T06:00:00Z,Running'),
      hint: 'CSV with the columns time and value.',
    },
    ofSignal('loop', 'Repeat', 'flag'),
    ofSignal('startAt', 'Starts at', 'text', 'the first time of the recording'),
  ],
};

const MACHINE: readonly SettingField[] = [
  { name: 'signal.kind', label: 'Signal', sort: 'signal' },
  { name: 'noise', label: 'Noise (±)', sort: 'number', optional: true, placeholder: '0' },
  { ...INTERVAL, placeholder: '1 s' },
];

const FIELDS: Readonly<Record<Exclude<TagKind, 'machine'>, readonly SettingField[]>> = {
  storage: [
    {
      name: 'initial',
      label: 'Initial value',
      sort: 'value',
      optional: true,
      hint: 'Returned until first written.',
    },
  ],
  erp: [
    {
      name: 'schema',
      label: 'JSON Schema of a record',
      sort: 'json',
      optional: true,
      placeholder: '{ "type": "object", "required": ["order"] }',
      hint: 'Every record must fit it; without a schema, any object is a valid record.',
    },
  ],
  db: [
    {
      name: 'readSql',
      label: 'Read SQL',
      sort: 'sql',
      optional: true,
      placeholder: 'SELECT name FROM orders WHERE line = :location',
      hint: 'One SELECT; it can use :tagName, :diagram and :location.',
    },
    {
      name: 'writeSql',
      label: 'Write SQL',
      sort: 'sql',
      optional: true,
      placeholder: 'INSERT INTO log (text) VALUES (:value)',
      hint: 'It can also use :value and, for an object, its members: :value.name.',
    },
    INTERVAL,
  ],
  calculation: [
    {
      name: 'expression',
      label: 'Expression',
      sort: 'expression',
      placeholder: "tag('Plant.Line1.Speed.Value') * 60",
      hint: "JavaScript over other tags: tag('…') is a value, quality('…') the name of its quality.",
    },
  ],
  script: [
    { name: 'readScript', label: 'Read script', sort: 'script', optional: true, placeholder: 'Group/Name' },
    { name: 'writeScript', label: 'Write script', sort: 'script', optional: true, placeholder: 'Group/Name' },
    INTERVAL,
  ],
};

/** The fields of a kind; for machine tags also those of the signal. */
export function fieldsOf(kind: TagKind, signal: string): readonly SettingField[] {
  if (kind !== 'machine') return FIELDS[kind];
  const [first, ...others] = MACHINE;
  return first ? [first, ...(SIGNAL_FIELDS[signal] ?? []), ...others] : [];
}

export const SIGNAL_NAMES: Readonly<Record<string, string>> = {
  constant: 'Constant',
  sine: 'Sine',
  ramp: 'Ramp',
  square: 'Square',
  randomWalk: 'Random walk',
  counter: 'Counter',
  csv: 'Recording',
};

/** The types that a kind supports. */
export function typesOf(kind: TagKind, all: readonly TagType[]): readonly TagType[] {
  return kind === 'erp' ? ['Json'] : all;
}
