import { useCallback, useMemo, useState } from 'react';
import type { PreviewedWindow } from '#domain/rule/rule';
import type { Json } from '#domain/text/json';
import { OUTCOME_NAMES } from '#domain/rule/rule-preview';
import { outputFormats, type TagFormats } from '../../client/tag-formats.ts';
import { Spinner } from '../../ui/fluent.ts';
import { CheckmarkCircleFilled, DismissRegular, ErrorCircleFilled, InfoRegular } from '../../ui/icons.ts';
import { Plot } from '../../ui/plot/plot.tsx';
import { useKeptLook } from '../../ui/lists/grid-look.ts';
import { shownAs, wholeValue } from '../../support/shown-value.ts';
import { VirtualGrid } from '../../ui/lists/virtual-grid.tsx';
import type { GridColumn } from '../../ui/lists/virtual-grid.tsx';
import { type RowOrder, TIME_SORT, useSortedRows } from '../../ui/lists/sorted-rows.ts';
import { TableTime, TIME_WIDTH, TIME_WITH_MS_WIDTH } from '../../ui/text/table-time.tsx';
import type { RuleForm } from './model/rule-form.ts';
import { previewNotes, previewSummary } from './model/preview-text.ts';
import { windowChart } from './model/series.ts';
import { outputWidth } from './output-width.ts';
import type { Preview } from './use-preview.ts';
import styles from './aggregations.module.css';

const NONE: readonly PreviewedWindow[] = [];
const ORDER: RowOrder<PreviewedWindow> = { keyOf: ({ start, end }) => `${start} ${end}` };

/** A narrower grid has room for the time, the outcome and the outputs, px. */
const OUTPUTS_ONLY = 640;
/** Maximum number of notes that are listed. */
const MOST_NOTES = 5;

interface Props {
  preview: Preview;
  form: RuleForm;
  blank: boolean;
  /** By tag. */
  formats: TagFormats;
}

/** What the edited rule would have done in the past hour: its windows, newest first. */
export function PreviewPane({ preview, form, blank, formats: ofTags }: Props) {
  const { result, problem, current } = preview;
  const [active, setActive] = useState('');
  const given = useMemo(() => result?.windows.toReversed() ?? NONE, [result]);
  const kept = useKeptLook('preview', { name: 'Start', descending: true });
  const outputs = result?.outputs;
  const formats = useMemo(() => outputFormats(outputs ?? [], ofTags), [outputs, ofTags]);
  const names = useMemo(() => outputs?.map(({ name }) => name) ?? [], [outputs]);
  const ms = useMemo(() => given.some(({ start, end }) => start % 1_000 !== 0 || end % 1_000 !== 0), [given]);
  const { triggersEvents } = form;
  const columns = useMemo(
    () => columnsOf({ outputs: names, formats, triggersEvents, ms }),
    [names, formats, triggersEvents, ms],
  );
  const windows = useSortedRows(given, kept, columns, ORDER);
  const chart = useMemo(() => result && windowChart(result, names, formats), [result, names, formats]);
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
              kept={kept}
              count={windows.length}
              rowAt={rowAt}
              activeIndex={Math.max(
                0,
                windows.findIndex((window) => ORDER.keyOf(window) === active),
              )}
              onChoose={(index) => setActive(windows[index] ? ORDER.keyOf(windows[index]) : '')}
            />
          </div>
        </>
      )}
    </div>
  );
}

interface PreviewShape {
  outputs: readonly string[];
  formats: TagFormats;
  triggersEvents: boolean;
  /** Whether windows begin or end between full seconds. */
  ms: boolean;
}

function columnsOf({ outputs, formats, triggersEvents, ms }: PreviewShape): GridColumn<PreviewedWindow>[] {
  const width = ms ? TIME_WITH_MS_WIDTH : TIME_WIDTH;
  return [
    {
      name: 'Start',
      keep: 'shown',
      width,
      cell: ({ start }) => <TableTime at={new Date(start)} ms={ms} />,
      sort: { ...TIME_SORT, by: ({ start }) => start },
    },
    {
      name: 'End',
      width,
      // Windows follow each other: it is the start of the next one.
      from: 900,
      cell: ({ end }) => <TableTime at={new Date(end)} ms={ms} />,
      sort: { ...TIME_SORT, by: ({ end }) => end },
    },
    {
      name: 'Outcome',
      width: 'minmax(90px, 1.4fr)',
      cell: (window) => <Outcome window={window} />,
      hint: ({ message }) => message ?? '',
      sort: { by: ({ outcome, message }) => `${OUTCOME_NAMES[outcome]} ${message ?? ''}` },
    },
    {
      name: 'Writes',
      width: 'minmax(76px, 0.8fr)',
      from: OUTPUTS_ONLY,
      cell: ({ outcome }) => (outcome !== 'fires' ? '–' : triggersEvents ? 'row, event' : 'row'),
      sort: {
        by: ({ outcome }) => (outcome === 'fires' ? 0 : 1),
        titles: ['Sort, writing first', 'Sort, writing last'],
      },
    },
    {
      name: 'Samples',
      width: '58px',
      from: OUTPUTS_ONLY,
      look: 'number',
      cell: ({ samples }) => samples,
      sort: { descendingFirst: true, by: ({ samples }) => samples },
    },
    {
      name: 'Bad',
      width: '40px',
      from: OUTPUTS_ONLY,
      look: 'number',
      cell: ({ badSamples }) => badSamples,
      sort: { descendingFirst: true, by: ({ badSamples }) => badSamples },
    },
    ...outputs.map((output, place) => outputColumn(output || `output ${place + 1}`, place, formats.get(output))),
  ];
}

function outputColumn(name: string, place: number, format: string | undefined): GridColumn<PreviewedWindow> {
  return {
    name,
    id: `output ${name}`,
    width: outputWidth(name),
    look: 'number',
    cell: (window) => shownAs(window.outputs[place] ?? null, format),
    hint: (window) => wholeValue(window.outputs[place] ?? null),
    sort: { descendingFirst: true, by: (window) => comparable(window.outputs[place] ?? null) },
  };
}

/** Objects and arrays are compared as they are shown. */
function comparable(value: Json): string | number | null {
  if (typeof value === 'boolean') return Number(value);
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
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
