import { expect, test } from 'vitest';
import type { PreviewedWindow } from '#domain/rule/rule';
import type { RulePreview } from '#domain/rule/rule-preview';
import { previewNotes, previewSummary } from '../../../../../src-renderer/features/aggregations/model/preview-text.ts';

const at = (hour: number, minute: number): number => new Date(2026, 0, 1, hour, minute).getTime();

const window = (outcome: PreviewedWindow['outcome']): PreviewedWindow => ({
  start: 0,
  end: 1,
  samples: 1,
  badSamples: 0,
  outputs: [1],
  outcome,
  message: null,
});

const preview = (more: Partial<RulePreview> = {}): RulePreview => ({
  windows: [window('fires'), window('condition'), window('fires')],
  samples: 1_200,
  unknownTags: [],
  span: { from: at(8, 0), to: at(9, 0) },
  limit: null,
  earlier: 0,
  sources: [],
  units: [''],
  ...more,
});

test('the summary counts rows and events of the time', () => {
  expect(previewSummary(preview(), true)).toBe(
    '3 windows of 1,200 samples, 08:00:00 – 09:00:00: 2 data rows and 2 events (1 condition not met).',
  );
  expect(previewSummary(preview({ earlier: 5, span: null, windows: [window('fires')] }), false)).toBe(
    'The newest 1 window of 1,200 samples: 1 data row.',
  );
});

test('notes name the tags whose past is incomplete, and limits', () => {
  const source = { path: 'A.B.C', kind: 'db', basis: 'none', since: null, rule: null } as const;
  const notes = previewNotes(
    preview({
      limit: 'samples',
      sources: [
        source,
        { ...source, kind: 'machine', basis: 'signal' },
        { ...source, kind: 'storage', basis: 'value', since: at(8, 30) },
        { ...source, basis: 'samples', since: at(8, 45), rule: 'Fill' },
      ],
    }),
  );
  expect(notes).toEqual([
    'The preview begins at 08:00:00, because an hour has more than 50,000 samples.',
    'A.B.C: no history: values of DB tags are known only from the samples of a rule. Save and enable the rule to collect them.',
    'A.B.C: unknown before 08:30:00, when its current value was written.',
    'A.B.C: not computable: uses the samples that the rule "Fill" took, since 08:45:00.',
  ]);
});
