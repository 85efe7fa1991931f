import { useMemo } from 'react';
import type { RunContext } from '#domain/run/run';
import { type LensCell, type LensSubject, originText, type ScopeGrid } from '#domain/run/scope-lens';
import { scopeName } from '#domain/tag/scope';
import { type Query, useQuery } from '../../../client/use-query.ts';
import { subjectAttributes } from '../../../frame/why/why-button.tsx';
import { useWorkbench } from '../../../frame/workbench.ts';
import { useStore } from '../../../support/store.ts';
import { Button, Dropdown, Input, Link, Option } from '../../../ui/fluent.ts';
import { ErrorCircleFilled, PlayFilled, StopFilled, WarningFilled } from '../../../ui/icons.ts';
import { type LensChoice, type LensState, NO_LENS } from './lenses.ts';
import type { Doc } from '../model/script-document.ts';
import { useScripts } from '../scripts-context.ts';
import styles from './lens.module.css';

interface Props {
  doc: Doc;
  /** null while it is invalid. */
  context: RunContext | null;
  active: boolean;
}

const WHAT: Readonly<Record<LensChoice['what'], string>> = {
  script: 'This script',
  tag: 'A tag',
  diagram: 'A Diagram',
};

/** The open script, a tag or a Diagram in each Diagram and location: results, writes, and which stored values are used. */
export function LensPane({ doc, context, active }: Props) {
  const { client } = useWorkbench();
  const { lenses } = useScripts();
  const { editor: key, text } = doc;
  const state = useStore(lenses.store, (all) => all.get(key) ?? NO_LENS);
  const { choice, busy, last, problem } = state;
  const query = useMemo<Query<{ names: string[] }>>(
    () => ({
      read: async (signal) => ({
        names: (await client.diagrams.list(undefined, { signal })).map(({ name }) => name),
      }),
      changes: [(signal) => client.diagrams.changes(undefined, { signal })],
    }),
    [client],
  );
  const { data } = useQuery(query, active);
  const names = data?.names ?? [];
  const subject = subjectOf(choice, text.body, context);
  const isStale = last !== null && JSON.stringify(last.subject) !== JSON.stringify(subject);
  return (
    <div className={styles.pane} data-help="lens">
      <div className={styles.bar}>
        <Dropdown
          size="small"
          className={styles.what}
          aria-label="What to show"
          value={WHAT[choice.what]}
          selectedOptions={[choice.what]}
          onOptionSelect={(_event, { optionValue }) => lenses.choose(key, choiceOf(optionValue, context, names))}
        >
          {Object.entries(WHAT).map(([what, title]) => (
            <Option key={what} value={what}>
              {title}
            </Option>
          ))}
        </Dropdown>
        {choice.what === 'tag' && (
          <Input
            size="small"
            className={styles.subject}
            aria-label="Path of the tag"
            placeholder="Path of a tag"
            value={choice.tag}
            onChange={(_event, { value }) => lenses.choose(key, { what: 'tag', tag: value })}
          />
        )}
        {choice.what === 'diagram' && (
          <Dropdown
            size="small"
            className={styles.subject}
            aria-label="Diagram to show in its locations"
            value={choice.diagram}
            selectedOptions={[choice.diagram]}
            onOptionSelect={(_event, { optionValue = '' }) =>
              lenses.choose(key, { what: 'diagram', diagram: optionValue })
            }
          >
            {names.map((name) => (
              <Option key={name} value={name}>
                {name}
              </Option>
            ))}
          </Dropdown>
        )}
        {busy ? (
          <Button size="small" appearance="subtle" icon={<StopFilled />} onClick={() => lenses.cancel(key)}>
            Stop
          </Button>
        ) : (
          <Button
            size="small"
            appearance="subtle"
            icon={<PlayFilled />}
            disabledFocusable={subject === null}
            title="Show it in these Diagrams and locations; nothing is saved"
            onClick={() => subject && void lenses.show(key, subject)}
          >
            Show in all scopes
          </Button>
        )}
        <span className={styles.state} role="status">
          {busy ? 'Running…' : last ? countText(last.grid, isStale) : ''}
        </span>
      </div>
      <div className={styles.bar}>
        <Input
          size="small"
          className={styles.subject}
          aria-label="Diagrams"
          placeholder="All Diagrams in use"
          title="Names with commas between them; default for the default scope"
          value={state.diagrams}
          onChange={(_event, { value }) => lenses.typeScopes(key, { diagrams: value })}
        />
        <Input
          size="small"
          className={styles.subject}
          aria-label="Locations"
          placeholder="All locations in use"
          title="Names with commas between them; default for the default scope"
          value={state.locations}
          onChange={(_event, { value }) => lenses.typeScopes(key, { locations: value })}
        />
      </div>
      {problem && (
        <p className={styles.problem} role="alert">
          {problem.message}
        </p>
      )}
      {last ? (
        <Grid doc={doc} state={state} grid={last.grid} />
      ) : (
        !problem &&
        !busy && (
          <p className={styles.hint}>
            Does this script do the right thing for every Diagram and location? “Show in all scopes” runs it once for
            each without saving anything, and shows its result, its writes, and which stored values it used. It warns of
            a script that reads with its scope and writes without it.
          </p>
        )
      )}
    </div>
  );
}

function subjectOf(choice: LensChoice, body: string, context: RunContext | null): LensSubject | null {
  if (choice.what === 'tag') return choice.tag.trim() === '' ? null : { tag: choice.tag.trim() };
  if (choice.what === 'diagram') return choice.diagram === '' ? null : { diagram: choice.diagram };
  if (!context) return null;
  const { tagName, tagValue } = context;
  return { body, context: { tagName, ...(tagValue !== undefined && { tagValue }) } };
}

function choiceOf(what: string | undefined, context: RunContext | null, names: readonly string[]): LensChoice {
  if (what === 'tag') return { what, tag: context?.tagName ?? '' };
  if (what === 'diagram') return { what, diagram: names[0] ?? '' };
  return { what: 'script' };
}

function countText({ cells, dropped }: ScopeGrid, stale: boolean): string {
  const count = `${cells.length.toLocaleString('en')} ${cells.length === 1 ? 'scope' : 'scopes'}`;
  const rest = dropped > 0 ? `, ${dropped.toLocaleString('en')} locations not shown` : '';
  return `${count}${rest}${stale ? ' · of an earlier input' : ''}`;
}

function Grid({ doc, state, grid }: { doc: Doc; state: LensState; grid: ScopeGrid }) {
  const { lenses, editor } = useScripts();
  const { diagrams, locations, cells, warnings } = grid;
  const { editor: key } = doc;
  const selected = cells[state.selected];
  const goTo = (line: number) => editor.get()?.goTo(line, 1, key);
  return (
    <div className={styles.result} role="region" aria-label="Scopes" tabIndex={0}>
      {warnings.map(({ text, lines }) => (
        <p key={text} className={styles.warning} role="note">
          <WarningFilled aria-hidden />
          <span>
            {text}.{' '}
            {lines[1] !== null && (
              <Link className={styles.line} onClick={() => goTo(lines[1] ?? 1)}>
                Show the write
              </Link>
            )}
          </span>
        </p>
      ))}
      <div className={styles.scroll}>
        <table className={styles.grid} aria-label="Results by Diagram and location">
          <thead>
            <tr>
              <th scope="col">Location</th>
              {diagrams.map((name) => (
                <th key={name} scope="col" title={name}>
                  {name || 'default'}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {locations.map((location, row) => (
              <tr key={location}>
                <th scope="row" title={location}>
                  {location || 'default'}
                </th>
                {diagrams.map((name, column) => {
                  const at = column * locations.length + row;
                  const cell = cells[at];
                  return (
                    <td key={name}>
                      {cell && (
                        <button
                          type="button"
                          className={styles.cell}
                          aria-pressed={at === state.selected}
                          title={summaryOf(cell)}
                          {...(state.choice.what === 'tag' && readTag(cell))}
                          onClick={() => lenses.select(key, at)}
                        >
                          {cell.status !== 'ok' && <ErrorCircleFilled aria-label={cell.status} />}
                          <span className={styles.value}>{summaryOf(cell)}</span>
                        </button>
                      )}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {selected && <Details cell={selected} goTo={goTo} />}
    </div>
  );
}

/** *Why?* of a cell explains the tag that was read for it. */
function readTag({ reads: [read] }: LensCell) {
  return read ? subjectAttributes(subjectOfAct(read)) : {};
}

const subjectOfAct = ({ path, diagram, location }: { path: string; diagram: string; location: string }) => ({
  thing: `tag:${path}`,
  scope: { diagram, location },
});

function summaryOf({ status, result, error, reads, writes }: LensCell): string {
  if (status !== 'ok') return error ?? status;
  const written = writes.length === 0 ? '' : ` · ${writes.length} ${writes.length === 1 ? 'write' : 'writes'}`;
  return `${result ?? `${reads.length} ${reads.length === 1 ? 'value' : 'values'}`}${written}`;
}

function Details({ cell, goTo }: { cell: LensCell; goTo: (line: number) => void }) {
  const { reads, writes, error, more, result } = cell;
  const place = (act: { diagram: string; location: string }) =>
    act.diagram === cell.diagram && act.location === cell.location ? '' : ` [${scopeName(act)}]`;
  const line = (at: number | null) =>
    at !== null && (
      <Link className={styles.line} title="Show the line in the editor" onClick={() => goTo(at)}>
        line {at}
      </Link>
    );
  return (
    <section className={styles.details} aria-label={`Scope ${scopeName(cell)}`} aria-live="polite">
      <h3>{scopeName(cell)}</h3>
      {error !== null && <p className={styles.error}>{error}</p>}
      {result !== null && (
        <p>
          Result <code>{result}</code>
        </p>
      )}
      <ul>
        {reads.map((read, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- the list never changes
          <li key={`read ${at}`} {...subjectAttributes(subjectOfAct(read))}>
            <code>
              read {read.path}
              {place(read)} = {read.value}
              {read.quality === 'Good' ? '' : ` ${read.quality}`}
            </code>{' '}
            {line(read.line)}
            {read.origin !== null && <div className={styles.origin}>{originText(read)}</div>}
          </li>
        ))}
        {writes.map((write, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- the list never changes
          <li key={`write ${at}`} {...subjectAttributes(subjectOfAct(write))}>
            <code>
              write {write.path}
              {place(write)} = {write.value}
            </code>{' '}
            {line(write.line)}
          </li>
        ))}
      </ul>
      {more > 0 && <p>{more.toLocaleString('en')} more are not listed.</p>}
    </section>
  );
}
