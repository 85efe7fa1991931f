import type { WhyLine, WhyLineKind } from '#domain/run/why';
import { clock, day, fraction, fullMoment, moment } from '../../support/moment.ts';
import { shownValue } from '../../support/shown-value.ts';
import { Link } from '../../ui/fluent.ts';
import {
  AlertRegular,
  CalculatorRegular,
  ChevronRightRegular,
  CodeRegular,
  DismissRegular,
  EditRegular,
  FlashRegular,
  GlobeRegular,
  HistoryRegular,
  HandRightRegular,
  SettingsRegular,
} from '../../ui/icons.ts';
import { Breakable } from '../../ui/text/breakable.tsx';
import { useWorkbench } from '../workbench.ts';
import { targetOf, type ScriptLines } from './use-script-lines.ts';
import styles from './why.module.css';

/** Deeper lines are indented no further. */
const MOST_INDENTS = 6;
/** Shown characters of a value; its tooltip has more. */
const SHOWN = 160;
const LONGEST_HINT = 2_000;

interface LinesProps {
  title: 'Causes' | 'Effects';
  lines: readonly WhyLine[];
  /** The number of the first line in the pane. */
  first: number;
  /** The thing that is explained. */
  own: string;
  scripts: ScriptLines;
  /** Explains what a line is about. */
  onFollow: (thing: string, line: number) => void;
}

/** The causes or the effects, each with its time, its values, who did it, and links to the source. */
export function WhyLines({ title, lines, first, own, scripts, onFollow }: LinesProps) {
  return (
    <section className={styles.part}>
      <h3>
        {title} <span className={styles.order}>{title === 'Causes' ? 'latest first' : 'earliest first'}</span>
      </h3>
      {lines.length === 0 ? (
        <p className={styles.quiet}>None in the journal.</p>
      ) : (
        <ol className={styles.lines} aria-label={title}>
          {lines.map((line, index) => {
            const before = lines[index - 1];
            const isNewDay = !before || day(new Date(before.at)) !== day(new Date(line.at));
            return (
              <Line
                // oxlint-disable-next-line react/no-array-index-key -- the lines of one explanation never change
                key={index}
                line={line}
                number={first + index}
                isNewDay={isNewDay}
                hasCode={title === 'Causes' && codeOf(line) !== (before && codeOf(before))}
                own={own}
                scripts={scripts}
                onFollow={onFollow}
              />
            );
          })}
        </ol>
      )}
    </section>
  );
}

/** A line of a script, which is shown once. */
const codeOf = ({ script, line }: WhyLine): string => `${script?.name} ${script?.version} ${line}`;

interface LineProps extends Omit<LinesProps, 'title' | 'lines' | 'first'> {
  line: WhyLine;
  number: number;
  isNewDay: boolean;
  /** Whether it shows the line of the script. */
  hasCode: boolean;
}

function Line({ line, number, isNewDay, hasCode, own, scripts, onFollow }: LineProps) {
  const at = new Date(line.at);
  const thing = followed(line, own);
  const action = (
    <>
      <span className={styles.action}>
        <Breakable text={withLocalTimes(line.action)} />
      </span>
      {thing !== null && <ChevronRightRegular aria-hidden />}
    </>
  );
  return (
    <li
      className={styles.line}
      style={{ gridTemplateColumns: `84px ${20 + 14 * Math.min(line.depth, MOST_INDENTS)}px minmax(0, 1fr)` }}
      data-why={thing ?? undefined}
    >
      <time className={styles.time} dateTime={line.at} title={fullMoment(at)}>
        {isNewDay && <span className={styles.date}>{day(at)}</span>}
        <span>
          {clock(at)}
          <span className={styles.ms}>{fraction(at)}</span>
        </span>
      </time>
      <span className={styles.mark}>
        <Icon kind={line.kind} />
      </span>
      <div className={styles.what}>
        {thing === null ? (
          <div className={styles.still} tabIndex={-1} data-why-line={number}>
            {action}
          </div>
        ) : (
          <button
            type="button"
            className={styles.follow}
            title={`Explain ${nameOf(thing)}`}
            data-why-line={number}
            onClick={() => onFollow(thing, number)}
          >
            {action}
          </button>
        )}
        {line.after !== undefined && <Values line={line} />}
        <Sources line={line} own={own} scripts={scripts} />
        {hasCode && <CodeLine line={line} scripts={scripts} />}
      </div>
    </li>
  );
}

/** The times of texts are in UTC; here they are local, as everywhere in the window. */
export function withLocalTimes(text: string): string {
  return text.replaceAll(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, (at) => moment(new Date(at)));
}

/** What a line leads to: the thing that it names, but not the one that is explained. */
function followed({ thing, tag, event }: WhyLine, own: string): string | null {
  const things = [
    thing,
    event === undefined ? undefined : `event:${event}`,
    tag === undefined ? undefined : `tag:${tag}`,
  ];
  return things.find((one) => one !== undefined && one !== own) ?? null;
}

function nameOf(thing: string): string {
  const [, kind = '', rest = ''] = /^(\w+):(.*)$/s.exec(thing) ?? [];
  if (kind === 'tag') return rest;
  if (kind === 'erp') return `ERP record ${rest}`;
  return kind === 'row' ? `row ${rest.slice(rest.lastIndexOf('/') + 1)}` : `${kind} ${rest}`;
}

const ICONS: Readonly<Record<WhyLineKind, typeof CodeRegular>> = {
  run: CodeRegular,
  write: EditRegular,
  firing: FlashRegular,
  event: AlertRegular,
  rule: SettingsRegular,
  define: SettingsRegular,
  force: HandRightRegular,
  release: EditRegular,
  clear: DismissRegular,
  restore: HistoryRegular,
  request: GlobeRegular,
  call: GlobeRegular,
  count: CalculatorRegular,
};

function Icon({ kind }: Pick<WhyLine, 'kind'>) {
  const Shown = ICONS[kind];
  return <Shown aria-hidden />;
}

function Values({ line: { before, after = null } }: { line: WhyLine }) {
  const hint = `${before === undefined ? 'not read' : shownValue(before, LONGEST_HINT)}\n→ ${shownValue(after, LONGEST_HINT)}`;
  return (
    <p className={styles.values} title={hint}>
      {before === undefined ? (
        <span className={styles.quiet}>not read</span>
      ) : (
        <bdi className={styles.before}>{shownText(before)}</bdi>
      )}{' '}
      → <bdi>{shownText(after)}</bdi>
    </p>
  );
}

/** Quotes make an empty text visible. */
const shownText = (value: NonNullable<WhyLine['after']> | null): string =>
  value === '' ? '""' : shownValue(value, SHOWN);

/** Who did it, and links to what the line names. */
function Sources({ line, own: explained, scripts }: Pick<LineProps, 'line' | 'own' | 'scripts'>) {
  const { show } = useWorkbench();
  const { by, script, tag, rule, event, request, actor } = line;
  const caller = by && scripts.scriptOf(by.script, line.at);
  const own = script && line.thing === `run:${line.entry}` ? scripts.scriptOf(script, line.at) : null;
  return (
    <p className={styles.sources}>
      {by && caller ? (
        <Link
          as="button"
          title={openHint(by.script.version, caller.version, by.line)}
          onClick={() => show('scripts', targetOf(by.script, caller), by.line)}
        >
          <bdi>{actor}</bdi>
        </Link>
      ) : request ? (
        <Link as="button" title="Show the requests" onClick={() => show('events', `requests:${event ?? ''}`)}>
          <bdi>{actor}</bdi>
        </Link>
      ) : (
        <bdi>{actor}</bdi>
      )}
      {script && own && (
        <Link
          as="button"
          title={openHint(script.version, own.version, line.line)}
          onClick={() => show('scripts', targetOf(script, own), line.line)}
        >
          {line.line === undefined ? 'Script' : `Line ${line.line}`}
        </Link>
      )}
      {tag !== undefined && `tag:${tag}` !== explained && (
        <Link as="button" title={`Show the tag ${tag}`} onClick={() => show('tags', tag)}>
          Tag
        </Link>
      )}
      {rule && (
        <Link as="button" title={`Show the rule ${rule.name}`} onClick={() => show('aggregations', String(rule.id))}>
          Rule
        </Link>
      )}
    </p>
  );
}

function openHint(version: number, current: number | null, line: number | undefined): string {
  const at = line === undefined ? '' : ` at line ${line}`;
  if (version === current) return `Open the script${at}`;
  const now = current === null ? 'was deleted' : `has version ${current} now`;
  return `Show the text of version ${version}${at}; the script ${now}`;
}

/** The line of the script as it was. */
function CodeLine({ line: { script, line, at }, scripts }: { line: WhyLine; scripts: ScriptLines }) {
  const code = script && line !== undefined ? scripts.lineOf(script, at, line) : null;
  if (code === null) return null;
  return (
    <p className={styles.code} title={code}>
      <span className={styles.number}>{line}</span>
      <code>{code}</code>
    </p>
  );
}
