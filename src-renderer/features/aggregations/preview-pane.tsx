import { useCallback, useMemo, useState } from 'react';
import type { PreviewedWindow } from '#domain/rule/rule';
import { Spinner } from '../../ui/fluent.ts';
import { CheckmarkCircleFilled, DismissRegular, ErrorCircleFilled, InfoRegular } from '../../ui/icons.ts';
import { Plot } from '../../ui/plot/plot.tsx';
import { shownLive } from '../../support/shown-value.ts';
import { VirtualGrid } from '../../ui/lists/virtual-grid.tsx';
import type { GridColumn } from '../../ui/lists/virtual-grid.tsx';
import type { RuleForm } from './model/rule-form.ts';
import { windowChart } from './model/series.ts';
import { clockText, momentText } from './model/times.ts';
import { outputWidth } from './output-width.ts';
import type { Preview } from './use-preview.ts';
import styles from './aggregations.module.css';

const OUTCOMES = { fires: 'fires', empty: 'empty', condition: 'condition not met', error: 'condition failed' } as const;

/** The windows that the edited rule would have had for recent samples, newest first. */
export function PreviewPane({ preview, form, blank }: { preview: Preview; form: RuleForm; blank: boolean }) {
  const { result, problem, current } = preview;
  const [active, setActive] = useState(0);
  const windows = useMemo(() => result?.windows.toReversed() ?? [], [result]);
  const outputs = result?.outputs;
  const columns = useMemo(() => columnsOf(outputs ?? []), [outputs]);
  const chart = useMemo(() => result && windowChart(result.windows, result.outputs), [result]);
  const rowAt = useCallback((index: number) => windows[index], [windows]);

  if (problem !== null) return <p className={styles.hint}>The preview is not available: {problem}</p>;
  if (!result) {
    const waits = preview.issues.size > 0 || blank;
    return (
      <p className={styles.hint}>
        {waits ? (
          'Add a source tag and an output. The preview shows what the rule would have done with recent samples, as you type.'
        ) : (
          <Spinner size="tiny" label="Loading recent samples…" />
        )}
      </p>
    );
  }
  const count = (outcome: PreviewedWindow['outcome']) => windows.filter((window) => window.outcome === outcome).length;
  const parts = (['fires', 'condition', 'empty', 'error'] as const)
    .map((outcome) => ({ outcome, many: count(outcome) }))
    .filter(({ many }) => many > 0)
    .map(({ outcome, many }) => `${many} ${outcome === 'fires' && many > 1 ? 'fire' : OUTCOMES[outcome]}`);
  return (
    <div className={styles.fill} data-old={!current}>
      <p className={styles.summary} role="status">
        {windows.length} {windows.length === 1 ? 'window' : 'windows'} of {result.samples}{' '}
        {result.samples === 1 ? 'sample' : 'samples'}
        {parts.length > 0 && `: ${parts.join(', ')}`}
        {!current && '. Your current input is invalid; this is the preview of the last valid input.'}
      </p>
      {result.unknownTags.length > 0 && (
        <p className={styles.note}>
          <InfoRegular aria-hidden />
          <span>
            No rule has taken samples of <bdi>{result.unknownTags.slice(0, 3).join(', ')}</bdi>
            {result.unknownTags.length > 3 && ` and ${result.unknownTags.length - 3} more`} yet. Save and enable the
            rule to collect samples.
          </span>
        </p>
      )}
      {windows.length === 0 ? (
        <p className={styles.hint}>
          {form.window === 'manual'
            ? 'A manual window closes when you fire the rule: save it, then choose Fire.'
            : 'No window has closed in the available samples.'}
        </p>
      ) : (
        <>
          {chart && <Plot label="Outputs of the windows" times={chart.times} series={chart.series} height={130} />}
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

function columnsOf(outputs: readonly string[]): GridColumn<PreviewedWindow>[] {
  return [
    { name: 'Start', width: 'minmax(76px, 1fr)', cell: ({ start }) => momentText(start, Date.now()) },
    { name: 'End', width: 'minmax(76px, 1fr)', cell: ({ end }) => clockText(end) },
    {
      name: 'Outcome',
      width: 'minmax(90px, 1.4fr)',
      cell: (window) => <Outcome window={window} />,
      hint: ({ message }) => message ?? '',
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
      <span>{message === null ? OUTCOMES[outcome] : `${OUTCOMES[outcome]}: ${message}`}</span>
    </span>
  );
}
