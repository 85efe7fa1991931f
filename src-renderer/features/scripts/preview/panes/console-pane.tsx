import { useVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { ConsoleLevel, ConsoleValue, RunReport } from '#domain/run/run';
import { useCopy } from '../../../../frame/use-copy.ts';
import { Button, Link, SearchBox, ToggleButton } from '../../../../ui/fluent.ts';
import {
  BugRegular,
  CopyRegular,
  DeleteRegular,
  ErrorCircleFilled,
  InfoRegular,
  WarningFilled,
} from '../../../../ui/icons.ts';
import { Tree, type TreeRow } from '../../../../ui/lists/tree.tsx';
import {
  type ConsoleFilter,
  type ConsoleRow,
  consoleRows,
  consoleText,
  countLevels,
  type LoggedObject,
  valueLines,
} from './console-view.ts';
import { useScripts } from '../../scripts-context.ts';
import styles from './console.module.css';

/** An entry of `log` has none: it is the usual one. */
const LEVEL_ICONS: Readonly<Partial<Record<ConsoleLevel, typeof BugRegular>>> = {
  info: InfoRegular,
  warn: WarningFilled,
  error: ErrorCircleFilled,
  debug: BugRegular,
};
/** Height of an entry with one line of text, px. */
const ROW = 25;
/** Height of a line of a tree, px. */
const LINE = 24;
/** An unfolded object scrolls from this number of lines on. */
const MAX_LINES = 20;

interface Props {
  report: RunReport | null;
  filter: ConsoleFilter;
  /** Whether the entries of this run were cleared. */
  cleared: boolean;
  onFilter: (filter: ConsoleFilter) => void;
  onClear: () => void;
}

/** The console output of the script: filtered, with links to its lines and objects that unfold. */
export function ConsolePane({ report, filter, cleared, onFilter, onClear }: Props) {
  const entries = report?.console ?? [];
  const rows = useMemo(() => consoleRows(report?.console ?? [], filter), [report, filter]);
  if (!report) return <p className={styles.hint}>This run has no console output.</p>;
  if (entries.length === 0 && report.dropped.console === 0) {
    return <p className={styles.hint}>The script wrote nothing to the console.</p>;
  }
  if (cleared) return <p className={styles.hint}>Cleared until the next run.</p>;
  return (
    <>
      <Toolbar entries={entries} rows={rows} filter={filter} onFilter={onFilter} onClear={onClear} />
      {report.dropped.console > 0 && (
        <p className={styles.dropped}>
          {report.dropped.console.toLocaleString('en')} earlier entries were dropped: a run keeps its last ones
          (limits.consoleEntries).
        </p>
      )}
      {rows.length === 0 ? <p className={styles.hint}>No entry matches the filter.</p> : <Rows rows={rows} />}
    </>
  );
}

interface ToolbarProps extends Omit<Props, 'report' | 'cleared'> {
  entries: RunReport['console'];
  rows: ConsoleRow[];
}

function Toolbar({ entries, rows, filter, onFilter, onClear }: ToolbarProps) {
  const copy = useCopy();
  const levels = useMemo(() => countLevels(entries), [entries]);
  const toggle = (level: ConsoleLevel) => {
    const hidden = new Set(filter.hidden);
    if (!hidden.delete(level)) hidden.add(level);
    onFilter({ ...filter, hidden });
  };
  return (
    <div className={styles.toolbar} role="toolbar" aria-label="Console">
      {levels.map(([level, count]) => {
        const Icon = LEVEL_ICONS[level];
        const isShown = !filter.hidden.has(level);
        return (
          <ToggleButton
            key={level}
            size="small"
            appearance="subtle"
            className={styles.toggle}
            data-level={level}
            {...(Icon && { icon: <Icon aria-hidden /> })}
            checked={isShown}
            title={isShown ? `Hide ${level}` : `Show ${level}`}
            onClick={() => toggle(level)}
          >
            {level} {count}
          </ToggleButton>
        );
      })}
      <SearchBox
        size="small"
        className={styles.search}
        placeholder="Filter"
        aria-label="Filter the console"
        value={filter.search}
        onChange={(_event, { value }) => onFilter({ ...filter, search: value })}
      />
      <Button
        size="small"
        appearance="subtle"
        icon={<CopyRegular />}
        aria-label="Copy the console"
        title="Copy the shown entries"
        onClick={() => void copy(consoleText(rows), 'The console was copied')}
      />
      <Button
        size="small"
        appearance="subtle"
        icon={<DeleteRegular />}
        aria-label="Clear the console"
        title="Clear until the next run"
        onClick={onClear}
      />
    </div>
  );
}

function Rows({ rows }: { rows: ConsoleRow[] }) {
  const scroller = useRef<HTMLDivElement>(null);
  // By the entry, the argument and the parts of it: rows leave the document when they are scrolled away.
  const [unfolded, setUnfolded] = useState<ReadonlyMap<string, ReadonlySet<string>>>(() => new Map());
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => rows[index]?.index ?? index,
    estimateSize: () => ROW,
    overscan: 20,
    initialRect: { width: 400, height: 600 },
  });
  /** It follows new entries while its end is visible. */
  const atEnd = useRef(true);
  const height = virtual.getTotalSize();
  useLayoutEffect(() => {
    if (atEnd.current && scroller.current) scroller.current.scrollTop = scroller.current.scrollHeight;
  }, [rows, height]);
  return (
    <div
      ref={scroller}
      className={styles.console}
      role="log"
      aria-label="Console"
      tabIndex={0}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        atEnd.current = scrollHeight - scrollTop - clientHeight < ROW;
      }}
    >
      <div style={{ height, position: 'relative' }}>
        {virtual.getVirtualItems().map(({ index, start, key }) => {
          const row = rows[index];
          if (!row) return null;
          return (
            <div
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              data-level={row.entry.level}
              className={styles.entry}
              style={{ transform: `translateY(${start}px)` }}
            >
              <Entry
                row={row}
                openOf={(argument) => unfolded.get(`${row.index}:${argument}`) ?? NONE}
                onOpen={(argument, open) => {
                  // What was unfolded stays in its place.
                  atEnd.current = false;
                  setUnfolded(new Map([...unfolded, [`${row.index}:${argument}`, open]]));
                }}
              />
            </div>
          );
        })}
      </div>
    </div>
  );
}

const NONE: ReadonlySet<string> = new Set();

interface ConsoleEntryProps {
  row: ConsoleRow;
  openOf: (argument: number) => ReadonlySet<string>;
  onOpen: (argument: number, open: ReadonlySet<string>) => void;
}

function Entry({ row: { entry, count }, openOf, onOpen }: ConsoleEntryProps) {
  const { editor } = useScripts();
  const { level, text, at, line, values } = entry;
  const Icon = LEVEL_ICONS[level];
  return (
    <>
      <span className={styles.level}>
        {Icon && <Icon aria-hidden />}
        {level}
      </span>
      <span className={styles.text}>
        {values === undefined
          ? text
          : values.map((value, argument) => (
              <Argument
                // oxlint-disable-next-line react/no-array-index-key -- the arguments of an entry never change
                key={argument}
                value={value}
                open={openOf(argument)}
                onOpen={(open) => onOpen(argument, open)}
              />
            ))}
      </span>
      {count > 1 && (
        <span className={styles.count} title={`${count} times`}>
          ×{count}
        </span>
      )}
      {line !== undefined && (
        <Link className={styles.line} onClick={() => editor.get()?.goTo(line, 1)}>
          line {line}
        </Link>
      )}
      <span className={styles.at}>{at.toFixed(1)} ms</span>
    </>
  );
}

interface ArgumentProps {
  value: ConsoleValue;
  open: ReadonlySet<string>;
  onOpen: (open: ReadonlySet<string>) => void;
}

function Argument({ value, open, onOpen }: ArgumentProps) {
  if (typeof value === 'string') return <span>{value} </span>;
  if (value.members.length === 0) return <span>{value.more > 0 ? `${value.title} …` : value.title} </span>;
  return <ObjectTree value={value} open={open} onOpen={onOpen} />;
}

function ObjectTree({ value, open, onOpen }: Omit<ArgumentProps, 'value'> & { value: LoggedObject }) {
  const lines = useMemo(() => valueLines(value, open), [value, open]);
  const rows = lines.map(({ path, level, name, text, open: expanded }): TreeRow => ({
    id: path,
    level,
    label: name === null ? text : `${name}: ${text}`,
    expanded,
    content: (
      <>
        {name !== null && <span className={styles.name}>{name}: </span>}
        {text}
      </>
    ),
  }));
  const toggle = (path: string, isOpen: boolean) => {
    const next = new Set(open);
    if (isOpen) next.add(path);
    else next.delete(path);
    onOpen(next);
  };
  return (
    <div className={styles.object} style={{ height: Math.min(rows.length, MAX_LINES) * LINE }}>
      <Tree label={value.title} rows={rows} onToggle={toggle} onKey={() => false} />
    </div>
  );
}
