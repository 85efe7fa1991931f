import { fc } from '../../../../support/run/random.ts';
import { describe, expect, test } from 'vitest';
import type { Rule, RuleText } from '#domain/rule/rule';
import { durationText } from '#domain/text/duration';
import { durationOf } from '../../../../../src-renderer/features/aggregations/model/duration.ts';
import {
  nameIssue,
  placedIssues,
  visibleIssues,
} from '../../../../../src-renderer/features/aggregations/model/issues.ts';
import {
  equalsSaved,
  formOf,
  newForm,
  readForm,
  stateOf,
  stateText,
  withOutput,
  withOutputLine,
  withTag,
  withTagLine,
  withoutOutputLine,
  withoutTagLine,
} from '../../../../../src-renderer/features/aggregations/model/rule-form.ts';

const RULE: RuleText = {
  name: 'Fill "check" 🧪 שלום',
  description: 'Two\nlines',
  enabled: false,
  triggersEvents: true,
  tags: ['A.B', 'C.D'],
  sampling: { kind: 'interval', everyMs: 90_000 },
  window: { kind: 'tumbling', everyMs: 1_500 },
  outputs: [
    { name: 'a', reducer: 'avg', tag: 'A.B' },
    { name: 'running', reducer: 'timeInState', tag: 'C.D', state: '1' },
  ],
  condition: 'a > 1',
};
const STORED: Rule = {
  ...RULE,
  id: 7,
  resultTable: 'agg_7',
  savedAt: '2026-01-01T00:00:00Z',
  outputs: RULE.outputs.map((output) => ({ ...output, column: output.name, columnType: 'REAL' })),
};

const msOf = (text: string) => {
  const read = durationOf(text);
  return read.ok ? read.value : null;
};

describe('durations', () => {
  test('are shown in the largest suitable unit and read back', () => {
    expect([500, 1_500, 5_000, 90_000, 900_000, 3_600_000, 86_400_000].map(durationText)).toEqual([
      '500 ms',
      '1500 ms',
      '5 s',
      '90 s',
      '15 min',
      '1 h',
      '1 d',
    ]);
    fc.assert(fc.property(fc.nat(), (ms) => msOf(durationText(ms)) === ms));
  });

  test('accept a point or a comma, and any usual name of a unit', () => {
    expect(['1,5 s', '1.5s', ' 2 MIN ', '3m', '250ms'].map(msOf)).toEqual([1_500, 1_500, 120_000, 180_000, 250]);
  });

  test('are invalid without a unit, or with other text', () => {
    expect(['', '5', 's', '-5 s', '1.000,5 s', '5 weeks', '1e3 ms'].map(msOf)).toEqual(
      Array.from({ length: 7 }, () => null),
    );
  });
});

test('a state is shown as it is, and text that looks like a number has quotes', () => {
  expect(['Running', 'true', '1', '"1"', ' 2.5 ', '', 'null', '1e999'].map(stateOf)).toEqual([
    'Running',
    true,
    1,
    '1',
    2.5,
    undefined,
    'null',
    '1e999',
  ]);
  const state = fc.oneof(
    fc.boolean(),
    fc.integer(),
    fc.string().filter((text) => text.trim() !== ''),
  );
  fc.assert(fc.property(state, (value) => stateOf(stateText(value)) === value));
});

describe('the form of a rule', () => {
  test('equals its original rule, for every window', () => {
    const windows: RuleText['window'][] = [
      RULE.window,
      { kind: 'count', samples: 12 },
      { kind: 'while', tag: 'A.B' },
      { kind: 'manual' },
    ];
    for (const window of windows) expect(readForm(formOf({ ...RULE, window })).rule).toEqual({ ...RULE, window });
    expect(equalsSaved(formOf(STORED), STORED)).toBe(true);
    expect(equalsSaved({ ...formOf(STORED), condition: '' }, STORED)).toBe(false);
  });

  test('shows unreadable input at its field, and lets the rest be checked', () => {
    const { rule, issues } = readForm({
      ...formOf(RULE),
      samplingEvery: 'soon',
      window: 'count',
      windowSamples: '1,5',
    });
    expect([...issues.keys()].toSorted()).toEqual(['sampling.everyMs', 'window.samples']);
    expect(rule.outputs).toEqual(RULE.outputs);
  });

  test('an output follows its source tag while typing, and each line has its own key', () => {
    let form = withTag(newForm(), 0, 'A.B');
    expect(form.outputs[0]?.tag).toBe('A.B');
    form = withTag(withTagLine(form), 1, 'C.D');
    expect(form.outputs[0]?.tag).toBe('A.B');
    form = withOutput(withOutputLine(form), 1, { name: 'second', tag: 'C.D' });
    form = withOutputLine(withoutOutputLine(withoutTagLine(form, 0), 0));
    expect(form.outputs.map(({ key, tag }) => [key, tag])).toEqual([
      [1, 'C.D'],
      [2, 'C.D'],
    ]);
    expect(readForm(form)).toMatchObject({ tagKeys: [1], outputKeys: [1, 2], rule: { tags: ['C.D'] } });
  });
});

describe('the problems of a rule', () => {
  const form = withTag(withTagLine(withTagLine(newForm())), 2, 'Unknown.Tag');
  const read = readForm(form);
  const data = {
    issues: [
      { path: ['name'], message: 'write 1 to 100 characters' },
      { path: ['tags', 0], message: 'No tag has that path.' },
      { path: ['outputs', 0, 'state'], message: 'enter the value, such as "state": "Running"' },
      { path: ['outputs'], message: 'name 1 to 200 outputs' },
      'nonsense',
    ],
  };

  test('are shown at their lines, as sentences', () => {
    expect(Object.fromEntries(placedIssues(data, read))).toEqual({
      name: 'Write 1 to 100 characters.',
      'tags.2': 'No tag has that path.',
      // The procedure shows how a file has it.
      'outputs.0.state': 'Enter the value whose time is measured, such as Idle, true or 3.',
      outputs: 'Name 1 to 200 outputs.',
    });
    expect(placedIssues(null, read).size).toBe(0);
  });

  test('are not shown for empty fields until the first attempt to save', () => {
    const issues = placedIssues(data, read);
    expect([...visibleIssues(issues, form, false).keys()]).toEqual(['tags.2', 'outputs']);
    expect(visibleIssues(issues, form, true).size).toBe(4);
  });

  test('names are compared regardless of case', () => {
    expect(nameIssue({ ...form, name: 'CHECK ' }, ['Check']).get('name')).toContain('"Check"');
    expect(nameIssue({ ...form, name: 'Checks' }, ['Check']).size).toBe(0);
  });
});
