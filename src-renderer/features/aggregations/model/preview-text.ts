import { OUTCOME_NAMES, previewNote } from '#domain/rule/rule-preview';
import type { RulePreview } from '#domain/rule/rule-preview';
import type { PreviewedWindow } from '#domain/rule/rule';
import { clock, clockText } from '../../../support/moment.ts';

const counted = (count: number, what: string): string =>
  `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;

/** What a rule would have done, in one or two sentences. */
export function previewSummary(preview: RulePreview, triggersEvents: boolean): string {
  const { windows, samples, span, earlier } = preview;
  const count = (outcome: PreviewedWindow['outcome']) => windows.filter((window) => window.outcome === outcome).length;
  const rows = count('fires');
  const others = (['condition', 'empty', 'error'] as const)
    .map((outcome) => ({ outcome, many: count(outcome) }))
    .filter(({ many }) => many > 0)
    .map(({ outcome, many }) => `${many} ${OUTCOME_NAMES[outcome]}`);
  const period = span === null ? '' : `, ${clock(new Date(span.from))} – ${clock(new Date(span.to))}`;
  const shown = earlier === 0 ? counted(windows.length, 'window') : `The newest ${counted(windows.length, 'window')}`;
  const written = triggersEvents
    ? `${counted(rows, 'data row')} and ${counted(rows, 'event')}`
    : counted(rows, 'data row');
  const rest = others.length === 0 ? '' : ` (${others.join(', ')})`;
  return `${shown} of ${counted(samples, 'sample')}${period}: ${written}${rest}.`;
}

/** What a preview is missing, each as a sentence. */
export function previewNotes({ sources, limit, span }: RulePreview): string[] {
  const notes = sources.flatMap((source) => {
    const note = previewNote(source, clockText);
    return note === null ? [] : [`${source.path}: ${note}.`];
  });
  if (limit === 'samples' && span) {
    notes.unshift(`The preview begins at ${clockText(span.from)}, because an hour has more than 50,000 samples.`);
  }
  if (limit === 'time' && span) {
    notes.unshift(
      `The preview ends at ${clockText(span.to)}, because it took too long. Use fewer tags or longer intervals.`,
    );
  }
  return notes;
}
