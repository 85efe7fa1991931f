import type { ReactNode } from 'react';
import { type FirstDifference, firstDifference } from '#domain/run/first-difference';
import type { AssumedWrite, MissingCall, OpenedCapsule } from '#domain/run/replay';
import type { ComparedLine, ValueDifference } from '#domain/run/run-comparison';
import { Link } from '../../../ui/fluent.ts';
import { CheckmarkCircleFilled, WarningFilled } from '../../../ui/icons.ts';
import type { EndedReplay } from '../model/capsules.ts';
import { replaySummary } from '../model/replay-text.ts';
import type { Doc } from '../model/script-document.ts';
import { useScripts } from '../scripts-context.ts';
import styles from './capsules.module.css';

interface Props {
  doc: Doc;
  capsule: OpenedCapsule;
  last: EndedReplay | null;
  busy: boolean;
  onShow: (ended: EndedReplay) => void;
}

/** A line of one of the two texts: a link while the editor has that text. */
type LineLink = (line: number | null) => ReactNode;

/** What the replay did differently, the first difference first. */
export function ReplayResult({ doc, capsule, last, busy, onShow }: Props) {
  const { editor } = useScripts();
  const linkIn =
    (body: string): LineLink =>
    (line) => {
      if (line === null) return null;
      if (body !== doc.text.body) return <span className={styles.line}>line {line}</span>;
      return (
        <Link
          className={styles.line}
          title="Show the line in the editor"
          onClick={() => editor.get()?.goTo(line, 1, doc.editor)}
        >
          line {line}
        </Link>
      );
    };
  const old = linkIn(capsule.body);
  const now = linkIn(last?.body ?? capsule.body);
  const { replay } = last ?? {};
  const first = replay && firstDifference(replay.comparison);
  return (
    <div className={styles.result} data-busy={busy} role="region" aria-label="Comparison" tabIndex={0}>
      <div className={styles.summary} role="status">
        {busy ? (
          'Replaying…'
        ) : last ? (
          <>
            <span className={styles.verdict} data-equal={last.replay.comparison.equal}>
              {last.replay.comparison.equal ? <CheckmarkCircleFilled aria-hidden /> : <WarningFilled aria-hidden />}
              {replaySummary(last.replay)}
            </span>
            <span className={styles.spring} />
            <Link
              className={styles.show}
              title="Show its result, trace and console in the other tabs"
              onClick={() => onShow(last)}
            >
              Show the replay
            </Link>
          </>
        ) : (
          'Not replayed yet'
        )}
      </div>
      {!replay && !busy && (
        <p className={styles.hint}>
          “Replay” runs the recorded text again with the recorded answers, without the plant. “Replay edited text” tries
          a fix with the same answers.
        </p>
      )}
      {replay?.missing && <Missing missing={replay.missing} now={now} old={old} />}
      {first && <First first={first} old={old} now={now} />}
      {replay && (
        <>
          <Values title="End" differences={replay.comparison.end} />
          <Values title="Result" differences={replay.comparison.result} />
          <Lines title="Writes" lines={replay.comparison.writes} old={old} now={now} />
          <Lines title="Calls" lines={replay.comparison.calls} old={old} now={now} />
          <Lines title="Console" lines={replay.comparison.console} old={old} now={now} />
          <Assumed writes={replay.assumed} now={now} />
          {replay.warnings.map((warning) => (
            <p key={warning} className={styles.warning}>
              {warning}
            </p>
          ))}
        </>
      )}
    </div>
  );
}

const PARTS: Readonly<Record<FirstDifference['part'], string>> = {
  calls: 'in the calls',
  console: 'in the console',
  result: 'in the result',
  end: 'in the end',
};

function First({ first: { part, before, after }, old, now }: { first: FirstDifference; old: LineLink; now: LineLink }) {
  return (
    <section className={styles.first} aria-label="First difference">
      <h3>First difference, {PARTS[part]}</h3>
      <dl>
        <dt>Recorded</dt>
        <dd>
          {before ? (
            <>
              <code>{before.text}</code> {old(before.line)}
            </>
          ) : (
            <span className={styles.quiet}>nothing</span>
          )}
        </dd>
        <dt>Replay</dt>
        <dd>
          {after ? (
            <>
              <code>{after.text}</code> {now(after.line)}
            </>
          ) : (
            <span className={styles.quiet}>nothing</span>
          )}
        </dd>
      </dl>
    </section>
  );
}

function Missing({ missing, now, old }: { missing: MissingCall; now: LineLink; old: LineLink }) {
  const { call, reason, nearest, line } = missing;
  return (
    <section className={styles.missing} role="alert" aria-label="Call that the capsule does not contain">
      <p>
        <strong>{call}</strong> is not in the capsule: {reason}. {now(line)}
      </p>
      {nearest.length > 0 && (
        <>
          <p className={styles.quiet}>Nearest recorded calls</p>
          <ul>
            {nearest.map((near) => (
              <li key={near.call}>
                <code>{near.text}</code> {old(near.line)}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function Values({ title, differences }: { title: string; differences: readonly ValueDifference[] }) {
  if (differences.length === 0) return null;
  return (
    <section className={styles.part} aria-label={title}>
      <h3>{title}</h3>
      {differences.map(({ place, before, after }) => (
        <div key={place} className={styles.lines}>
          <div className={styles.place}>{place}</div>
          {before !== null && <Row mark="-" text={before} />}
          {after !== null && <Row mark="+" text={after} />}
        </div>
      ))}
    </section>
  );
}

interface ReplayLinesProps {
  title: string;
  lines: readonly ComparedLine[];
  old: LineLink;
  now: LineLink;
}

function Lines({ title, lines, old, now }: ReplayLinesProps) {
  if (lines.length === 0) return null;
  return (
    <section className={styles.part} aria-label={title}>
      <h3>{title}</h3>
      <div className={styles.lines}>
        {lines.map(({ mark, text, line }, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- the list never changes
          <Row key={at} mark={mark} text={text} link={mark === '-' ? old(line) : now(line)} />
        ))}
      </div>
    </section>
  );
}

const MARKS = { '-': 'Recorded', '+': 'Replay', '=': 'Both' } as const;

function Row({ mark, text, link }: { mark: ComparedLine['mark']; text: string; link?: ReactNode }) {
  return (
    <div className={styles.row} data-mark={mark}>
      <span className={styles.mark} title={MARKS[mark]}>
        {mark === '=' ? ' ' : mark === '-' ? '−' : '+'}
      </span>
      <code>{text}</code>
      {link}
    </div>
  );
}

function Assumed({ writes, now }: { writes: readonly AssumedWrite[]; now: LineLink }) {
  if (writes.length === 0) return null;
  return (
    <section className={styles.part} aria-label="Not recorded, taken as written">
      <h3>Not recorded, taken as written</h3>
      <div className={styles.lines}>
        {writes.map(({ tag, value, line }, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- the list never changes
          <Row key={at} mark="=" text={`${tag} = ${JSON.stringify(value)}`} link={now(line)} />
        ))}
      </div>
    </section>
  );
}
