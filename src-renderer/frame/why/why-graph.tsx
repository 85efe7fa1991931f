import { type ReactNode, useEffect, useMemo, useState } from 'react';
import type { TagHistory, TagUser } from '#domain/run/tag-history';
import type { TagUsage } from '#domain/tag/usage';
import type { Client } from '../../client/client.ts';
import { type Problem, problemOf } from '../../client/errors.ts';
import { fullMoment, moment } from '../../support/moment.ts';
import { Spinner } from '../../ui/fluent.ts';
import {
  AlertRegular,
  ArrowDownRegular,
  ArrowUploadRegular,
  BeakerRegular,
  ChevronRightRegular,
  CodeRegular,
  DiagramRegular,
  EditRegular,
  TagMultipleRegular,
} from '../../ui/icons.ts';
import { Breakable } from '../../ui/text/breakable.tsx';
import { TagPath } from '../../ui/text/tag-path.tsx';
import { useWorkbench } from '../workbench.ts';
import { type ScriptOfLine, targetOf, useScriptLines } from './use-script-lines.ts';
import own from './why-graph.module.css';
import styles from './why.module.css';

/** Listed items of each kind that a change affects. */
const MOST_AFFECTED = 60;

interface Props {
  path: string;
  /** Counts what the user opened: each time, it is read again. */
  visits: number;
  /** The number of its first node among the lines of the pane. */
  first: number;
  /** Explains a tag or a run: the graph moves to that tag. */
  onFollow: (thing: string, line: number) => void;
}

/** Something that is connected to the tag. */
interface Node {
  key: string;
  icon: ReactNode;
  name: ReactNode;
  detail?: ReactNode;
  /** What Enter does; null if there is nothing to show. */
  open: ((line: number) => void) | null;
  hint?: string;
}

/** A tag with who writes it and who reads it, and what a change of it affects. The arrows move, Enter follows. */
export function WhyGraph({ path, visits, first, onFollow }: Props) {
  const { client, show } = useWorkbench();
  const { history, usage, problem } = useConnections(client, path, visits);
  const scripts = useScriptLines(
    client,
    useMemo(() => history && namedIn(history), [history]),
  );
  if (problem) {
    return (
      <section className={styles.part} aria-label="Connections">
        <h3>Connections</h3>
        <p className={styles.problem} role="alert">
          The connections could not be read: {problem.message}
        </p>
      </section>
    );
  }
  if (!history || !usage)
    return <Spinner className={styles.spinner ?? ''} size="tiny" aria-label="Reading the history" />;
  const userNode = (user: TagUser, icon: ReactNode): Node => {
    const { actor, count, at, script, line, thing } = user;
    const known = script && scripts.scriptOf(script, at);
    const open = known
      ? () => show('scripts', targetOf(script, known), line)
      : thing === undefined
        ? null
        : (from: number) => onFollow(thing, from);
    return {
      key: actor,
      icon,
      name: <Breakable text={actor} />,
      detail: (
        <time dateTime={at} title={fullMoment(new Date(at))}>
          {count === 1 ? 'once' : `${count.toLocaleString('en')} times`}, last {moment(new Date(at))}
        </time>
      ),
      open,
      hint: known ? 'Open the script' : 'Explain the last run',
    };
  };
  const writers = history.writers.map((user) => userNode(user, <EditRegular aria-hidden />));
  const readers = history.readers.map((user) => userNode(user, <ArrowUploadRegular aria-hidden />));
  const affected = affectedBy(usage, show, onFollow);
  const shown = affected.slice(0, MOST_AFFECTED);
  const since = history.isComplete
    ? ''
    : ` Based on the newest ${history.entries.toLocaleString('en')} entries of the tag and ${history.runs.toLocaleString('en')} runs in the journal.`;
  return (
    <section className={styles.part} aria-label="Connections">
      <h3>
        Connections <span className={styles.order}>Enter follows one</span>
      </h3>
      <div className={own.graph}>
        <Tier title="Written by" nodes={writers} first={first} none="No recorded write." />
        <p className={own.center}>
          <ArrowDownRegular aria-hidden />
          <TagPath path={path} breaks />
          <ArrowDownRegular aria-hidden />
        </p>
        <Tier
          title="Read by"
          nodes={readers}
          first={first + writers.length}
          none="No recorded run. What tags, rules and Diagrams read is not recorded."
        />
        <Tier
          title="A change affects"
          nodes={shown}
          first={first + writers.length + readers.length}
          none="Not referenced by any script, tag, rule, Diagram or test."
        />
        {affected.length > shown.length && (
          <p className={styles.quiet}>{(affected.length - shown.length).toLocaleString('en')} more are not listed.</p>
        )}
      </div>
      {since !== '' && <p className={styles.quiet}>{since}</p>}
    </section>
  );
}

const namedIn = ({ writers, readers }: TagHistory): ScriptOfLine[] =>
  [...writers, ...readers].flatMap(({ script, at }) => (script ? [{ script, at }] : []));

function Tier({ title, nodes, first, none }: { title: string; nodes: readonly Node[]; first: number; none: string }) {
  return (
    <div className={own.tier}>
      <h4>{title}</h4>
      {nodes.length === 0 ? (
        <p className={styles.quiet}>{none}</p>
      ) : (
        <ul aria-label={title}>
          {nodes.map(({ key, icon, name, detail, open, hint }, index) => {
            const line = first + index;
            const content = (
              <>
                <span className={own.nodeIcon}>{icon}</span>
                <span className={own.nodeName}>
                  <bdi>{name}</bdi>
                  {detail !== undefined && <span className={styles.quiet}>{detail}</span>}
                </span>
                {open && <ChevronRightRegular aria-hidden />}
              </>
            );
            return (
              <li key={key}>
                {open ? (
                  <button
                    type="button"
                    className={own.node}
                    title={hint}
                    data-why-line={line}
                    onClick={() => open(line)}
                  >
                    {content}
                  </button>
                ) : (
                  <div className={own.node} tabIndex={-1} data-why-line={line}>
                    {content}
                  </div>
                )}
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}

type ShowThing = (view: 'scripts' | 'aggregations' | 'diagrams', what: string, line?: number) => void;

function affectedBy(usage: TagUsage, show: ShowThing, onFollow: Props['onFollow']): Node[] {
  const lines = (places: readonly { line: number }[]) => {
    const all = [...new Set(places.map(({ line }) => line))];
    return `${all.length === 1 ? 'line' : 'lines'} ${all.slice(0, 5).join(', ')}${all.length > 5 ? ' …' : ''}`;
  };
  const tags = new Map(usage.tags.map((use) => [use.path, use]));
  return [
    ...usage.rules.map(({ id, name, members }): Node => ({
      key: `rule ${id}`,
      icon: <AlertRegular aria-hidden />,
      name,
      detail: `rule, ${members.join(', ')}`,
      open: () => show('aggregations', String(id)),
      hint: 'Show the rule',
    })),
    ...[...tags.values()].map((use): Node => ({
      key: `tag ${use.path}`,
      icon: <TagMultipleRegular aria-hidden />,
      name: <TagPath path={use.path} breaks />,
      detail: `${use.kind} tag, ${use.member}`,
      open: (from) => onFollow(`tag:${use.path}`, from),
      hint: 'Explain this tag, and show its connections',
    })),
    ...usage.diagrams.map(({ id, name, members }): Node => ({
      key: `diagram ${id}`,
      icon: <DiagramRegular aria-hidden />,
      name,
      detail: `Diagram, ${members.join(', ')}`,
      open: () => show('diagrams', name),
      hint: 'Show the Diagram',
    })),
    ...usage.scripts.map(({ id, group, name, places }): Node => ({
      key: `script ${id}`,
      icon: <CodeRegular aria-hidden />,
      name: `${group}/${name}`,
      detail: `script, ${lines(places)}`,
      open: () => show('scripts', String(id), places[0]?.line),
      hint: 'Open the script',
    })),
    ...usage.tests.map(({ id, name, scriptId, group, script }): Node => ({
      key: `test ${id}`,
      icon: <BeakerRegular aria-hidden />,
      name,
      detail: `test of ${group}/${script}`,
      open: () => show('scripts', `${scriptId}:test:${id}`),
      hint: 'Show the test',
    })),
  ];
}

interface TagConnections {
  history: TagHistory | null;
  usage: TagUsage | null;
  problem: Problem | null;
}

const NOT_KNOWN: TagConnections = { history: null, usage: null, problem: null };

/** Reads them, again on each visit. */
function useConnections(client: Pick<Client, 'journal' | 'tags'>, path: string, visits: number): TagConnections {
  const [known, setKnown] = useState<TagConnections & { path: string; visits: number }>({ ...NOT_KNOWN, path, visits });
  useEffect(() => {
    const end = new AbortController();
    const options = { signal: end.signal };
    Promise.all([client.journal.tag({ path }, options), client.tags.usage({ path }, options)]).then(
      ([history, usage]) => {
        if (!end.signal.aborted) setKnown({ history, usage, problem: null, path, visits });
      },
      (error: unknown) => {
        if (!end.signal.aborted) setKnown({ ...NOT_KNOWN, problem: problemOf(error), path, visits });
      },
    );
    return () => end.abort();
  }, [client, path, visits]);
  return known.path === path && known.visits === visits ? known : NOT_KNOWN;
}
