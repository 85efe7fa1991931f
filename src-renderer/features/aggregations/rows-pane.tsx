import { useCallback, useMemo, useRef, useState } from 'react';
import type { Json } from '#domain/text/json';
import type { Rule } from '#domain/rule/rule';
import { isAbort } from '../../client/errors.ts';
import { outputFormats, type TagFormats } from '../../client/tag-formats.ts';
import { useWorkbench } from '../../frame/workbench.ts';
import { whyEntry } from '../../frame/why/why-button.tsx';
import { useWhySubject } from '../../frame/why/use-why.ts';
import { saveBlob } from '../../support/files.ts';
import { Button, ProgressBar } from '../../ui/fluent.ts';
import { ArrowDownloadRegular } from '../../ui/icons.ts';
import { Plot } from '../../ui/plot/plot.tsx';
import { useKeptLook } from '../../ui/lists/grid-look.ts';
import { shownAs, wholeValue } from '../../support/shown-value.ts';
import { RowMenu } from '../../ui/lists/row-menu.tsx';
import { VirtualGrid } from '../../ui/lists/virtual-grid.tsx';
import type { GridColumn } from '../../ui/lists/virtual-grid.tsx';
import { TableTime, TIME_WIDTH } from '../../ui/text/table-time.tsx';
import type { RowColumn, RowFeed } from './model/row-feed.ts';
import { ROW_FORMATS, fileName } from './model/row-text.ts';
import type { RowFormat } from './model/row-text.ts';
import { rowChart } from './model/series.ts';
import { outputWidth } from './output-width.ts';
import { useRows } from './use-rows.ts';
import styles from './aggregations.module.css';

type ResultRow = readonly Json[];

/** The columns of every table, before those of the outputs. */
const OWN_COLUMNS = 7;
const WIDTHS: Readonly<Record<string, string>> = { id: '62px', fired_by: '62px', samples: '62px', bad_samples: '90px' };

interface Props {
  rule: Rule;
  /** Changes when there may be new rows. */
  version: string;
  active: boolean;
  /** By tag. */
  formats: TagFormats;
}

/** The data rows of a rule, newest first, with a plot of the numeric outputs and an export. */
export function RowsPane({ rule, version, active, formats: ofTags }: Props) {
  const { columns, rows, total, loaded, problem, feed, more } = useRows(rule.id, version, active);
  const [chosen, setChosen] = useState<Json>(null);
  const { explain } = useWorkbench();
  const [menu, setMenu] = useState<{ x: number; y: number } | null>(null);
  const thing = typeof chosen === 'number' ? `row:${rule.resultTable}/${chosen}` : null;
  useWhySubject(thing ?? `rule:${rule.id}`, active);
  const kept = useKeptLook('rows');
  const formats = useMemo(() => outputFormats(rule.outputs, ofTags), [rule.outputs, ofTags]);
  const grid = useMemo(() => gridColumns(columns, formats), [columns, formats]);
  const chart = useMemo(() => rowChart(columns, rows, formats), [columns, rows, formats]);
  const rowAt = useCallback((index: number) => rows[index], [rows]);
  const onRange = useCallback(
    (_first: number, last: number) => {
      if (last >= rows.length - 1 && rows.length < total) more();
    },
    [rows.length, total, more],
  );
  if (problem) {
    return (
      <p className={styles.hint} role="alert">
        The rows could not be loaded: {problem.message}
      </p>
    );
  }
  if (!loaded) return null;
  if (total === 0) {
    return (
      <p className={styles.hint}>The rule has not fired yet. Fire (F5) to create a row from the current values.</p>
    );
  }
  // Rows that are not loaded are empty lines at the end; they load when they become visible.
  const count = rows.length < total ? rows.length + 1 : rows.length;
  return (
    <div className={styles.fill}>
      <div className={styles.summary}>
        <span role="status">
          {total.toLocaleString('en')} {total === 1 ? 'row' : 'rows'} in <code>{rule.resultTable}</code>
        </span>
        <Export rule={rule} feed={feed} />
      </div>
      {chart && <Plot label="Outputs of the rows" times={chart.times} series={chart.series} height={150} />}
      <div className={styles.gridBox}>
        <VirtualGrid<ResultRow>
          label="Rows"
          columns={grid}
          kept={kept}
          count={count}
          rowAt={rowAt}
          activeIndex={chosen === null ? -1 : rows.findIndex(([id]) => id === chosen)}
          onChoose={(index) => setChosen(rows[Math.min(index, rows.length - 1)]?.[0] ?? null)}
          onMenu={(index, at) => {
            setChosen(rows[index]?.[0] ?? null);
            setMenu(rows[index] ? at : null);
          }}
          onRange={onRange}
        />
        {menu && thing !== null && (
          <RowMenu at={menu} onClose={() => setMenu(null)} entries={[whyEntry(thing, explain)]} />
        )}
      </div>
    </div>
  );
}

/** Results come before details of their origin. */
function gridColumns(columns: readonly RowColumn[], formats: TagFormats): GridColumn<ResultRow>[] {
  const all = columns.map((column, place) => gridColumn(column, place, formats.get(column.output ?? '')));
  const [own, made] = [all.slice(0, OWN_COLUMNS), all.slice(OWN_COLUMNS)];
  return [...own.slice(0, 3), ...made, ...own.slice(3)];
}

function gridColumn(
  { name, type, output }: RowColumn,
  place: number,
  format: string | undefined,
): GridColumn<ResultRow> {
  const isTime = output === null && type === 'TEXT' && name !== 'fired_by';
  return {
    name: output ?? name,
    // Unique, unlike the names of outputs.
    id: name,
    ...(output === null && name === 'id' && { keep: 'shown' }),
    width: isTime ? TIME_WIDTH : ((output === null ? WIDTHS[name] : undefined) ?? outputWidth(output ?? name)),
    ...(type !== 'TEXT' && { look: 'number' as const }),
    cell: (row) => {
      const value = row[place] ?? null;
      if (isTime && typeof value === 'string') return <TableTime at={new Date(value)} />;
      return value === null ? '' : shownAs(value, format);
    },
    hint: (row) => wholeValue(row[place] ?? null),
  };
}

/** Writes all rows to a file, page by page. */
function Export({ rule, feed }: { rule: Rule; feed: RowFeed }) {
  const { notify } = useWorkbench();
  const [progress, setProgress] = useState<{ done: number; total: number } | null>(null);
  const end = useRef<AbortController | null>(null);
  const run = async (format: RowFormat) => {
    const stop = new AbortController();
    end.current = stop;
    setProgress({ done: 0, total: 0 });
    try {
      const parts = await feed.export(format, (done, total) => setProgress({ done, total }), stop.signal);
      saveBlob(
        fileName(rule.name, format),
        new Blob(parts, { type: format === 'csv' ? 'text/csv;charset=utf-8' : 'application/json' }),
      );
    } catch (error) {
      if (stop.signal.aborted || isAbort(error))
        notify({ intent: 'info', title: 'Export cancelled; no file was created' });
      else notify({ intent: 'error', title: 'The rows were not exported', error });
    } finally {
      setProgress(null);
    }
  };
  if (progress) {
    const { done, total } = progress;
    return (
      <span className={styles.exporting}>
        <ProgressBar aria-label="Export" className={styles.progress} {...(total > 0 && { value: done / total })} />
        <span>
          {done.toLocaleString('en')} of {total.toLocaleString('en')}
        </span>
        <Button size="small" onClick={() => end.current?.abort()}>
          Cancel
        </Button>
      </span>
    );
  }
  return (
    <span className={styles.exporting}>
      {ROW_FORMATS.map((format) => (
        <Button
          key={format}
          size="small"
          appearance="subtle"
          icon={<ArrowDownloadRegular />}
          onClick={() => void run(format)}
        >
          Export {format.toUpperCase()}
        </Button>
      ))}
    </span>
  );
}
