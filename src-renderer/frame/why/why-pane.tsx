import { type KeyboardEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { isDefaultScope, scopeName } from '#domain/tag/scope';
import { thingOf, type Why, type WhyLine, type WhyThing } from '#domain/run/why';
import type { Client } from '../../client/client.ts';
import { type Problem, problemOf } from '../../client/errors.ts';
import { fullMoment, moment } from '../../support/moment.ts';
import { Button, Link, Spinner } from '../../ui/fluent.ts';
import { ArrowSyncRegular } from '../../ui/icons.ts';
import { TagPath } from '../../ui/text/tag-path.tsx';
import { SecondaryPane } from '../panes/secondary-pane.tsx';
import { useWorkbench } from '../workbench.ts';
import { type ScriptOfLine, useScriptLines } from './use-script-lines.ts';
import type { WhyControl, WhySubject } from './use-why.ts';
import { WhyGraph } from './why-graph.tsx';
import { WhyLines, withLocalTimes } from './why-lines.tsx';
import { WhyWindowPart } from './why-window.tsx';
import styles from './why.module.css';

/** What can take the focus with the arrows: the first element of each line. */
const LINE = '[data-why-line]';

/** Next to the view: what led to the state of a thing, and what followed. Escape closes it. */
export function WhyPane({ why: control }: { why: WhyControl }) {
  const { client } = useWorkbench();
  const { place, visits } = control;
  const subject = place?.subject ?? null;
  const { why, problem, recording } = useExplanation(client, subject, visits);
  const named = useMemo(() => why && namedIn(why), [why]);
  const scripts = useScriptLines(client, named);
  const body = useRef<HTMLDivElement>(null);
  const line = place?.line ?? 0;
  useLayoutEffect(() => {
    if (visits > 0) body.current?.focus();
  }, [visits]);
  // The lines arrive later, when the focus may have moved on.
  useLayoutEffect(() => {
    const { current } = body;
    if (!why || !current || document.activeElement !== current) return;
    (current.querySelector<HTMLElement>(`[data-why-line="${line}"]`) ?? current).focus();
  }, [why, line]);
  if (!subject) return null;
  const thing = thingOf(subject.thing);
  const isLoading = !why && !problem;
  const gone = why !== null && isGone(why);

  const onKey = (event: KeyboardEvent) => {
    const moves = !event.altKey && moveLine(body.current, event.key);
    if (moves) event.preventDefault();
    return moves;
  };
  const onFollow = (next: string, from: number) => control.follow({ thing: next }, from);
  return (
    <SecondaryPane
      name="why"
      label="Why?"
      helpId="why"
      canGoBack={control.canGoBack}
      onBack={control.back}
      onClose={control.close}
      onKey={onKey}
      head={
        <>
          <h2 className={styles.title}>Why?</h2>
          <Button
            size="small"
            appearance="subtle"
            icon={<ArrowSyncRegular />}
            aria-label="Read again"
            title="Read again"
            onClick={control.again}
          />
        </>
      }
    >
      <p className={styles.thing}>
        <ThingName thing={thing} isGone={gone} rule={ruleOf(why)} text={subject.thing} />
        {subject.scope && (
          <span className={styles.quiet}>
            {isDefaultScope(subject.scope) ? (
              'in the default scope'
            ) : (
              <>
                seen by <bdi>{scopeName(subject.scope)}</bdi>
              </>
            )}
          </span>
        )}
        {subject.at !== undefined && (
          <time className={styles.quiet} dateTime={subject.at} title={fullMoment(new Date(subject.at))}>
            as of {moment(new Date(subject.at))}
          </time>
        )}
      </p>
      <div
        ref={body}
        className={styles.body}
        role="region"
        aria-label="Causes and effects"
        tabIndex={0}
        data-pane-focus
        data-why={subject.thing}
      >
        <p className={styles.unseen} role="status">
          {isLoading ? 'Reading the journal' : why ? countsOf(why) : ''}
        </p>
        {isLoading && <Spinner className={styles.spinner ?? ''} size="tiny" aria-label="Reading the journal" />}
        {problem && (
          <div className={styles.problem} role="alert">
            <p>The journal could not be read: {problem.message}</p>
            <Button size="small" onClick={control.again}>
              Try again
            </Button>
          </div>
        )}
        {why && why.causes.length === 0 && <Nothing why={why} recording={recording} />}
        {why && why.causes.length > 0 && (
          <>
            {gone && <p className={styles.gone}>{why.problem}</p>}
            <WhyLines
              title="Causes"
              lines={why.causes}
              first={0}
              own={why.thing}
              scripts={scripts}
              onFollow={onFollow}
            />
            {!gone && why.problem !== null && <p className={styles.quiet}>{withLocalTimes(why.problem)}</p>}
          </>
        )}
        {why?.window && <WhyWindowPart window={why.window} />}
        {why && why.causes.length > 0 && (
          <WhyLines
            title="Effects"
            lines={why.effects}
            first={why.causes.length}
            own={why.thing}
            scripts={scripts}
            onFollow={onFollow}
          />
        )}
        {why && thing?.kind === 'tag' && !gone && (
          <WhyGraph
            path={thing.path}
            visits={visits}
            first={why.causes.length + why.effects.length}
            onFollow={onFollow}
          />
        )}
      </div>
      {why?.since && !why.problem?.includes(why.since) && (
        <footer className={styles.foot}>The journal has data since {moment(new Date(why.since))}.</footer>
      )}
    </SecondaryPane>
  );
}

/** The scripts of its lines. Causes show their lines. */
function namedIn({ causes, effects }: Why): ScriptOfLine[] {
  const named = ({ script, by, at, line }: WhyLine, isCause: boolean): ScriptOfLine[] => [
    ...(script ? [{ script, at, hasLine: isCause && line !== undefined }] : []),
    ...(by ? [{ script: by.script, at }] : []),
  ];
  return [...causes.flatMap((line) => named(line, true)), ...effects.flatMap((line) => named(line, false))];
}

const countOf = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
const countsOf = ({ causes, effects }: Why): string =>
  `${countOf(causes.length, 'cause')}, ${countOf(effects.length, 'effect')}`;

/** Whether it is about a tag that was deleted or renamed: it has no connections. */
const isGone = ({ problem }: Why): boolean =>
  problem?.startsWith('The tag "') === true && problem.includes('does not exist.');

/** Moves the focus to another line; whether the key does that. */
function moveLine(body: HTMLElement | null, key: string): boolean {
  const lines = [...(body?.querySelectorAll<HTMLElement>(LINE) ?? [])];
  const active = document.activeElement;
  if (lines.length === 0 || !body?.contains(active)) return false;
  const now = lines.findIndex((line) => line === active || line.closest('li')?.contains(active));
  const next =
    key === 'ArrowDown'
      ? now + 1
      : key === 'ArrowUp'
        ? Math.max(0, now - 1)
        : key === 'Home'
          ? 0
          : key === 'End'
            ? lines.length - 1
            : null;
  if (next === null) return false;
  lines[Math.min(next, lines.length - 1)]?.focus();
  return true;
}

const RECORDS = { request: 'Request', call: 'API call', erp: 'ERP record' } as const;

/** The name of the rule that an explanation is about. */
const ruleOf = (why: Why | null): string | null =>
  why?.window?.rule ?? why?.causes.find(({ rule }) => rule !== undefined)?.rule?.name ?? null;

interface ThingNameProps {
  thing: WhyThing | null;
  /** Whether it is a tag that was deleted or renamed. */
  isGone: boolean;
  rule: string | null;
  text: string;
}

/** The thing: a link to it in its view, if it has one. */
function ThingName({ thing, isGone: gone, rule, text }: ThingNameProps) {
  const { show } = useWorkbench();
  switch (thing?.kind) {
    case 'tag':
      return gone ? (
        <span className={styles.path}>
          <TagPath path={thing.path} breaks />
        </span>
      ) : (
        <Link as="button" className={styles.path} title="Show the tag" onClick={() => show('tags', thing.path)}>
          <TagPath path={thing.path} breaks />
        </Link>
      );
    case 'event':
      return (
        <span>
          Event {thing.id}
          {rule !== null && (
            <>
              {' '}
              of <bdi>{rule}</bdi>
            </>
          )}
        </span>
      );
    case 'row':
      return (
        <span>
          Row {thing.row} of <code>{thing.table}</code>
        </span>
      );
    case 'rule':
      return (
        <Link as="button" title="Show the rule" onClick={() => show('aggregations', String(thing.id))}>
          Rule <bdi>{rule ?? thing.id}</bdi>
        </Link>
      );
    case 'run':
      return <span>Run {thing.run}</span>;
    case 'request':
    case 'call':
    case 'erp':
      return (
        <span>
          {RECORDS[thing.kind]} {thing.id}
        </span>
      );
    default:
      return <bdi>{text}</bdi>;
  }
}

/** Whether another log, not the journal, decides about it. */
const isOfOtherLog = ({ thing, problem }: Why): boolean =>
  /^(?:request|call):/.test(thing) && problem?.startsWith('The journal') !== true;

/** Why there is no explanation. */
function Nothing({ why, recording }: { why: Why; recording: boolean | null }) {
  const { show } = useWorkbench();
  return (
    <div className={styles.nothing}>
      <p>{withLocalTimes(why.problem ?? 'The journal has no entry about this.')}</p>
      {isOfOtherLog(why) ? null : recording === false ? (
        <>
          <p>The journal is off: changes are not recorded.</p>
          <Button size="small" onClick={() => show('settings', 'journal')}>
            Show its settings
          </Button>
        </>
      ) : (
        <p>
          Changes are recorded when they are made, and kept within the limits in{' '}
          <Link as="button" onClick={() => show('settings', 'journal')}>
            the settings of the journal
          </Link>
          .
        </p>
      )}
    </div>
  );
}

interface Explanation {
  why: Why | null;
  problem: Problem | null;
  /** Whether the journal is on; null if that is not known. */
  recording: boolean | null;
}

const NOT_KNOWN: Explanation = { why: null, problem: null, recording: null };

/** Reads the explanation of a subject, again on each visit. */
function useExplanation(client: Pick<Client, 'journal'>, subject: WhySubject | null, visits: number): Explanation {
  const [known, setKnown] = useState<Explanation & { visits: number }>({ ...NOT_KNOWN, visits: 0 });
  const [thing, at, diagram, location] = [
    subject?.thing,
    subject?.at,
    subject?.scope?.diagram,
    subject?.scope?.location,
  ];
  useEffect(() => {
    const wanted = thing === undefined ? null : thingOf(thing);
    if (!wanted) return undefined;
    const end = new AbortController();
    const options = { signal: end.signal };
    const load = async () => {
      try {
        const scope = diagram === undefined || location === undefined ? null : { diagram, location };
        const request = { thing: wanted, ...(at !== undefined && { at }), ...(scope && { scope }) };
        const why = await client.journal.why(request, options);
        const recording = why.causes.length > 0 ? null : (await client.journal.status(undefined, options)).recording;
        if (!end.signal.aborted) setKnown({ why, problem: null, recording, visits });
      } catch (error) {
        if (!end.signal.aborted) setKnown({ ...NOT_KNOWN, problem: problemOf(error), visits });
      }
    };
    void load();
    return () => end.abort();
  }, [client, thing, at, diagram, location, visits]);
  return known.visits === visits ? known : NOT_KNOWN;
}
