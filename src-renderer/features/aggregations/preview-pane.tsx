import { useCallback, useMemo, useState } from 'react';
import type { PreviewedWindow } from '#domain/rule/rule';
import { OUTCOME_NAMES } from '#domain/rule/rule-preview';
import { Spinner } from '../../ui/fluent.ts';
import { CheckmarkCircleFilled, DismissRegular, ErrorCircleFilled, InfoRegular } from '../../ui/icons.ts';
import { Plot } from '../../ui/plot/plot.tsx';
import { shownLive } from '../../support/shown-value.ts';
import { VirtualGrid } from '../../ui/lists/virtual-grid.tsx';
import type { GridColumn } from '../../ui/lists/virtual-grid.tsx';
import type { RuleForm } from './model/rule-form.ts';
import { previewNotes, previewSummary } from './model/preview-text.ts';
import { windowChart } from './model/series.ts';
import { clockText, momentText } from './model/times.ts';
import { outputWidth } from './output-width.ts';
import type { Preview } from './use-preview.ts';
import styles from './aggregations.module.css';

/** Maximum number of notes that are listed. */
const MOST_NOTES = 5;

/** What the edited rule would have done in the past hour: its windows, newest first. */
export function PreviewPane({ preview, form, blank }: { preview: Preview; form: RuleForm; blank: boolean }) {
  const { result, problem, current } = preview;
  const [active, setActive] = useState(0);
  const windows = useMemo(() => result?.windows.toReversed() ?? [], [result]);
  const outputs = result?.outputs;
  const columns = useMemo(() => columnsOf(outputs ?? [], form.triggersEvents), [outputs, form.triggersEvents]);
  const chart = useMemo(() => result && windowChart(result, result.outputs), [result]);
  const rowAt = useCallback((index: number) => windows[index], [windows]);

  if (problem !== null) return <p className={styles.hint}>The preview is not available: {problem}</p>;
  if (!result) {
    const waits = preview.issues.size > 0 || blank;
    return (
      <p className={styles.hint}>
        {waits ? (
          'Add a source tag and an output. As you type, the preview shows the data rows and events of the past hour. It saves nothing.'
        ) : (
          <Spinner size="tiny" label="Computing the past hour…" />
        )}
      </p>
    );
  }
  const notes = previewNotes(result);
  return (
    <div className={styles.fill} data-old={!current}>
      <p className={styles.summary} role="status">
        <span>{previewSummary(result, form.triggersEvents)}</span>
        {!current && <span>Your current input is invalid; this is the preview of the last valid input.</span>}
      </p>
      {notes.length > 0 && (
        <ul className={styles.notes} aria-label="Limits of the preview">
          {notes.slice(0, MOST_NOTES).map((note) => (
            <li key={note}>
              <InfoRegular aria-hidden />
              <span>{note}</span>
            </li>
          ))}
          {notes.length > MOST_NOTES && <li>and {notes.length - MOST_NOTES} more tags</li>}
        </ul>
      )}
      {windows.length === 0 ? (
        <p className={styles.hint}>
          {form.window === 'manual'
            ? 'A manual window closes when you fire the rule: save it, then choose Fire.'
            : 'No window has closed in this time. Use a shorter window, or a tag with more samples.'}
        </p>
      ) : (
        <>
          {chart && <Plot label="Outputs of the windows" times={chart.times} series={chart.series} height={150} />}
          <div className={styles.gridBox}>
            <VirtualGrid
              label="Windows"
              columns={columns}
              count={windows.length}
              rowAt={rowAt}
              activeIndex={Math.min(active, windows.length - 1)}
              onChoose={setActive}
            />
          </div>
        </>
      )}
    </div>
  );
}

function columnsOf(outputs: readonly string[], triggersEvents: boolean): GridColumn<PreviewedWindow>[] {
  return [
    { name: 'Start', width: 'minmax(76px, 1fr)', cell: ({ start }) => momentText(start, Date.now()) },
    { name: 'End', width: 'minmax(76px, 1fr)', cell: ({ end }) => clockText(end) },
    {
      name: 'Outcome',
      width: 'minmax(90px, 1.4fr)',
      cell: (window) => <Outcome window={window} />,
      hint: ({ message }) => message ?? '',
    },
    {
      name: 'Writes',
      width: 'minmax(76px, 0.8fr)',
      cell: ({ outcome }) => (outcome !== 'fires' ? '–' : triggersEvents ? 'row, event' : 'row'),
    },
    { name: 'Samples', width: '58px', look: 'number', cell: ({ samples }) => samples },
    { name: 'Bad', width: '40px', look: 'number', cell: ({ badSamples }) => badSamples },
    ...outputs.map((output, place) => outputColumn(output || `output ${place + 1}`, place)),
  ];
}

function outputColumn(name: string, place: number): GridColumn<PreviewedWindow> {
  return {
    name,
    width: outputWidth(name),
    look: 'number',
    cell: (window) => shownLive(window.outputs[place] ?? null),
  };
}

function Outcome({ window: { outcome, message } }: { window: PreviewedWindow }) {
  const sort = outcome === 'fires' ? 'good' : outcome === 'error' ? 'bad' : 'neither';
  return (
    <span className={styles.outcome} data-sort={sort}>
      {sort === 'good' && <CheckmarkCircleFilled aria-hidden />}
      {sort === 'bad' && <ErrorCircleFilled aria-hidden />}
      {sort === 'neither' && <DismissRegular aria-hidden />}
      <span>{message === null ? OUTCOME_NAMES[outcome] : `${OUTCOME_NAMES[outcome]}: ${message}`}</span>
    </span>
  );
}
