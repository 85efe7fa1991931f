import { isDefaultScope, scopeName } from '#domain/tag/scope';
import { problemOfTagPath } from '#domain/tag/tag-path';
import type { Json } from '#domain/text/json';
import type { ApiCallEntry, NestedRun } from '#domain/run/run';
import { useWorkbench } from '../../../../frame/workbench.ts';
import { Link } from '../../../../ui/fluent.ts';
import { ArrowDownRegular, CodeRegular, EditRegular, ErrorCircleFilled, GlobeRegular } from '../../../../ui/icons.ts';
import { QualityMark } from '../../../../ui/text/quality.tsx';
import { inFormat, shownValue } from '../../../../support/shown-value.ts';
import { useStore } from '../../../../support/store.ts';
import { PathCell } from '../../../../ui/text/path-cell.tsx';
import type { TraceItem } from '../../model/trace.ts';
import { useScripts } from '../../scripts-context.ts';
import styles from './trace.module.css';
import { openAt } from '../../open-at.ts';

/** The header of a nested run: its script, outcome and error, with a link to the script. */
export function NestedRunRow({
  item: { run },
  owner,
  group,
  tracks,
}: { item: Extract<TraceItem, { what: 'run' }> } & Owned) {
  const { show } = useWorkbench();
  const open = useOpenNested();
  const printed = run.console.map(({ text }) => text).join('\n');
  const sort = run.access === 'read' ? 'Read script' : 'Write script';
  return (
    <>
      <div className={styles.traceLine}>
        <span className={styles.what} data-what="run">
          <CodeRegular aria-hidden />
          <Link
            title={`Open the script${run.error?.line ? ` at line ${run.error.line}` : ''}`}
            onClick={() => void open(run, run.error?.line ?? null)}
          >
            {sort}
          </Link>
        </span>
        <button
          type="button"
          className={styles.path}
          title={`${[...run.through, run.tag].join(' → ')}\nShow the tag`}
          onClick={() => show('tags', run.tag)}
        >
          <PathCell path={run.tag} below={group} tracks={tracks} />
        </button>
        {run.parent === null && <CallLine line={run.line} owner={owner} />}
      </div>
      <div className={styles.traceLine} data-second="true">
        <span className={styles.value} data-status={run.status} title={run.error?.message ?? printed}>
          {run.error ? `${errorPlace(run.error.line)}${run.error.message}` : printed || run.status}
        </span>
        <span className={styles.traceMeta}>
          {run.status} · {run.timing.totalMs.toFixed(1)} ms
        </span>
      </div>
    </>
  );
}

interface Owned {
  /** The nested run that it belongs to; null for the script in the editor. */
  owner: NestedRun | null;
  /** The group that all tags of the trace are in, or empty: their paths are shown relative to it. */
  group: string;
  /** Grid tracks of all paths in the trace. */
  tracks: string;
}

const errorPlace = (line: number | null): string => (line === null ? '' : `line ${line}: `);

/** The position of a call: a link to its script. */
function CallLine({ line, owner }: { line: number | null } & Pick<Owned, 'owner'>) {
  const { editor } = useScripts();
  const open = useOpenNested();
  if (line === null) return null;
  const go = () => (owner ? void open(owner, line) : editor.get()?.goTo(line, 1));
  return (
    <Link className={styles.line} title={owner ? `In the script of ${owner.tag}` : undefined} onClick={go}>
      line {line}
    </Link>
  );
}

interface TraceRowProps extends Owned {
  item: Exclude<TraceItem, { what: 'run' }>;
  dryRun: boolean;
  onCall: (call: ApiCallEntry) => void;
}

const ACCESSES = { read: 'Read', write: 'Write', call: 'Call' } as const;

/** An item of a call that was rejected: its tag and the reason. */
function RejectedRow({
  item,
  owner,
  group,
  tracks,
  format,
}: { item: Extract<TraceItem, { what: 'rejected' }>; format: string | undefined } & Owned) {
  const { show } = useWorkbench();
  return (
    <>
      <div className={styles.traceLine}>
        <span className={styles.what} data-what={item.what}>
          <ErrorCircleFilled aria-hidden />
          {ACCESSES[item.access]}
        </span>
        {item.access === 'call' || problemOfTagPath(item.path) !== null ? (
          <span className={styles.path} data-call>
            {item.path}
          </span>
        ) : (
          <button
            type="button"
            className={styles.path}
            title={`${item.path}\nShow the tag`}
            onClick={() => show('tags', item.path)}
          >
            <PathCell path={item.path} below={group} tracks={tracks} />
          </button>
        )}
        <CallLine line={item.line} owner={owner} />
      </div>
      <div className={styles.traceLine} data-second="true">
        <span
          className={styles.value}
          title={item.value === undefined ? item.reason : `${shownValue(item.value, 1_000)}: ${item.reason}`}
        >
          {item.value !== undefined && `${inFormat(item.value, format) ?? shownText(item.value, 60)}: `}
          {item.reason}
        </span>
        <span className={styles.traceMeta}>rejected · {item.at.toFixed(1)} ms</span>
      </div>
    </>
  );
}

/** A read, a write, an API call, or one of them that was rejected. */
export function TraceRow({ item, owner, group, tracks, dryRun, onCall }: TraceRowProps) {
  const { show } = useWorkbench();
  const { formats } = useScripts();
  const format = useStore(formats, (all) => (item.what === 'call' ? undefined : all.get(item.path)));
  if (item.what === 'rejected')
    return <RejectedRow item={item} owner={owner} group={group} tracks={tracks} format={format} />;
  const [title, lead] =
    item.what === 'call'
      ? [`${item.url}\nShow request and response`, () => onCall(item)]
      : [`${item.path}\nShow the tag`, () => show('tags', item.path)];
  return (
    <>
      <div className={styles.traceLine}>
        <span className={styles.what} data-what={item.what}>
          {item.what === 'read' && <ArrowDownRegular aria-hidden />}
          {item.what === 'write' && <EditRegular aria-hidden />}
          {item.what === 'call' && <GlobeRegular aria-hidden />}
          {item.what === 'read' ? 'Read' : item.what === 'write' ? 'Write' : item.method || 'Call'}
        </span>
        <button
          type="button"
          className={styles.path}
          data-call={item.what === 'call' || undefined}
          title={title}
          onClick={lead}
        >
          {item.what === 'call' ? <bdi>{item.url}</bdi> : <PathCell path={item.path} below={group} tracks={tracks} />}
        </button>
        <CallLine line={item.line} owner={owner} />
      </div>
      <div className={styles.traceLine} data-second="true">
        {item.what === 'read' && (
          <>
            <span className={styles.value} title={shownValue(item.value, 2_000)}>
              {inFormat(item.value, format) ?? shownText(item.value)}
            </span>
            <QualityMark value={item} />
          </>
        )}
        {item.what === 'write' && (
          <span
            className={styles.value}
            title={`${item.notRead ? NOT_READ : shownValue(item.before, 1_000)}\n→ ${shownValue(item.value, 1_000)}`}
          >
            {item.notRead ? 'not read' : <s>{inFormat(item.before, format) ?? shownText(item.before, 60)}</s>} →{' '}
            {inFormat(item.value, format) ?? shownText(item.value)}
          </span>
        )}
        {item.what === 'call' && (
          <span className={styles.value} title={item.reason}>
            {item.reason === undefined ? (item.error ?? item.statusCode) : `${item.error ?? ''}: ${item.reason}`}
          </span>
        )}
        <span className={styles.traceMeta}>
          {item.what === 'call'
            ? `${sourceOf(item)} · ${item.ms.toFixed(0)} ms`
            : `${item.type} · ${isDefaultScope(item) ? 'default scope' : scopeName(item)} · ${item.at.toFixed(1)} ms`}
          {item.what === 'write' && dryRun ? ' · not saved' : ''}
        </span>
      </div>
    </>
  );
}

const NOT_READ = 'Not read before the write: DB and script tags store no value themselves';

/** Quotes make an empty text visible. */
function shownText(value: Json, limit?: number): string {
  return value === '' ? '""' : shownValue(value, limit);
}

/** The source of the response to an API call. */
export function sourceOf({ source, mock }: Pick<ApiCallEntry, 'source' | 'mock'>): string {
  if (source === 'live') return 'live';
  return source === 'mock' ? `mock “${mock ?? ''}”` : 'not sent';
}

/** Opens the script of a tag that ran as a nested run, at a line. */
export function useOpenNested(): (run: NestedRun, line: number | null) => Promise<void> {
  const { client, notify, show } = useWorkbench();
  const scripts = useScripts();
  return async ({ tag, access }, line) => {
    try {
      const { settings } = await client.tags.definition({ path: tag });
      const bound = settings[access === 'read' ? 'readScript' : 'writeScript'];
      const script = scripts.model.store.get().scripts.find(({ group, name }) => `${group}/${name}` === bound);
      if (script) return await openAt(scripts, script.id, line);
      notify({
        intent: 'info',
        title: 'The tag has another script now',
        body: 'The settings of the tag changed after the run.',
        action: { label: 'Show the tag', run: () => show('tags', tag) },
      });
    } catch (error) {
      notify({ intent: 'error', title: 'The script was not opened', error });
    }
  };
}
