import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import type { Json } from '#domain/text/json';
import type { TagDefinition } from '#domain/tag/tag';
import { compareNaturally } from '#domain/tag/tag-order';
import type { ScopedValue } from '#domain/tag/scope';
import { isAbort, refusalOf } from '../../../client/errors.ts';
import { useWorkbench } from '../../../frame/workbench.ts';
import { subjectAttributes, whyEntry } from '../../../frame/why/why-button.tsx';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { CodeField } from '../../../ui/fields/code-field.tsx';
import { Button, Field, Input, Textarea } from '../../../ui/fluent.ts';
import { RowMenu } from '../../../ui/lists/row-menu.tsx';
import { inFormat, shownValue } from '../../../support/shown-value.ts';
import type { LiveValues, ViewScope } from '../../../client/live-values.ts';
import { editedText, typedValue } from '../../../support/typed-value.ts';
import styles from './scope-grid.module.css';

/** Values by scope as a grid: a row for each Diagram, a column for each location, the defaults first. */
interface ScopeTable {
  diagrams: readonly string[];
  locations: readonly string[];
  /** The value of exactly this scope; undefined if none is stored. */
  at: (diagram: string, location: string) => Json | undefined;
}

/** The grid of the stored values, including the current scope. */
export function scopeTable(values: readonly ScopedValue[], looked: { diagram: string; location: string }): ScopeTable {
  const byScope = new Map(values.map((one) => [slot(one.diagram, one.location), one.value]));
  return {
    diagrams: named([looked.diagram, ...values.map(({ diagram }) => diagram)]),
    locations: named([looked.location, ...values.map(({ location }) => location)]),
    at: (diagram, location) => byScope.get(slot(diagram, location)),
  };
}

const slot = (diagram: string, location: string) => JSON.stringify([diagram, location]);

function named(names: readonly string[]): string[] {
  return [...new Set(['', ...names])].toSorted(compareNaturally);
}

interface Props {
  tag: TagDefinition;
  values: LiveValues;
  scope: ViewScope;
  active: boolean;
}

/** Changes of the stored values by others appear after at most this time. */
const AGAIN_MS = 3_000;

/** The values of a storage tag as a grid of Diagrams and locations; cells can be written and cleared. */
export function ScopeGrid({ tag, values, scope, active }: Props) {
  const { client, notify, explain } = useWorkbench();
  const [menu, setMenu] = useState<{ x: number; y: number; scope: ViewScope } | null>(null);
  const [stored, setStored] = useState<readonly ScopedValue[]>([]);
  const [writes, setWrites] = useState(0);
  const [at, setAt] = useState({ row: 0, column: 0 });
  const [writing, setWriting] = useState<ViewScope | null>(null);
  const grid = useRef<HTMLTableElement>(null);
  const table = useMemo(() => scopeTable(stored, scope), [stored, scope]);
  const { path } = tag;

  useEffect(() => {
    if (!active) return undefined;
    const end = new AbortController();
    const load = () =>
      client.tags.scopes({ path }, { signal: end.signal }).then(
        (response) =>
          setStored((last) => (JSON.stringify(last) === JSON.stringify(response.values) ? last : response.values)),
        (error: unknown) => {
          // A message replaces the grid of a deleted tag.
          if (!isAbort(error)) setStored([]);
        },
      );
    void load();
    const timer = setInterval(() => void load(), AGAIN_MS);
    const unsubscribe = values.subscribe(path, () => void load());
    return () => {
      clearInterval(timer);
      unsubscribe();
      end.abort();
    };
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- what was written here is seen at once
  }, [client, path, values, active, writes]);

  const clear = async (where: ViewScope) => {
    const before = table.at(where.diagram, where.location);
    if (before === undefined) return;
    try {
      await client.tags.clear({ path, ...where });
      setWrites((count) => count + 1);
      notify({
        intent: 'info',
        title: 'Value cleared',
        body: path,
        action: { label: 'Undo', run: () => put(where, before) },
      });
    } catch (error) {
      notify({ intent: 'error', title: 'The value was not cleared', error });
    }
  };
  const put = async (where: ViewScope, value: Json) => {
    try {
      await client.tags.set({ items: [{ tag: path, value }], ...where });
      setWrites((count) => count + 1);
    } catch (error) {
      notify({ intent: 'error', title: 'The value was not written', body: refusalOf(error) });
    }
  };

  const rows = table.diagrams.length;
  const columns = table.locations.length;
  const focusCell = (row: number, column: number) => {
    const next = { row: Math.min(rows - 1, Math.max(0, row)), column: Math.min(columns - 1, Math.max(0, column)) };
    setAt(next);
    grid.current?.querySelector<HTMLElement>(`[data-cell="${next.row},${next.column}"]`)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent, row: number, column: number, where: ViewScope) => {
    const moves: Readonly<Record<string, () => void>> = {
      ArrowDown: () => focusCell(row + 1, column),
      ArrowUp: () => focusCell(row - 1, column),
      ArrowLeft: () => focusCell(row, column - 1),
      ArrowRight: () => focusCell(row, column + 1),
      Home: () => focusCell(row, 0),
      End: () => focusCell(row, columns - 1),
      Enter: () => setWriting(where),
      Delete: () => void clear(where),
    };
    const move = event.ctrlKey || event.altKey || event.metaKey ? undefined : moves[event.key];
    if (!move) return;
    event.preventDefault();
    move();
  };
  const current = { row: Math.min(at.row, rows - 1), column: Math.min(at.column, columns - 1) };
  const currentScope = { diagram: table.diagrams[current.row] ?? '', location: table.locations[current.column] ?? '' };

  return (
    <section aria-label="Values per scope">
      <h3>Values per scope</h3>
      <div className={styles.scroll}>
        <table ref={grid} className={styles.grid} role="grid" aria-label="Values by Diagram and workcenter">
          <thead>
            <tr>
              <th scope="col">Diagram</th>
              {table.locations.map((location) => (
                <th key={location} scope="col">
                  <Name name={location} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {table.diagrams.map((diagram, row) => (
              <tr key={diagram}>
                <th scope="row">
                  <Name name={diagram} />
                </th>
                {table.locations.map((location, column) => {
                  const value = table.at(diagram, location);
                  const here = row === current.row && column === current.column;
                  return (
                    <td
                      key={location}
                      role="gridcell"
                      data-cell={`${row},${column}`}
                      aria-selected={here}
                      tabIndex={here ? 0 : -1}
                      className={value === undefined ? styles.none : styles.stored}
                      title={value === undefined ? 'No stored value' : shownValue(value, 500)}
                      {...subjectAttributes({ thing: `tag:${path}`, scope: { diagram, location } })}
                      onContextMenu={(event) => {
                        event.preventDefault();
                        focusCell(row, column);
                        const box = event.currentTarget.getBoundingClientRect();
                        // A key has no position.
                        const byKey = event.button !== 2;
                        const place = byKey ? { x: box.left, y: box.bottom } : { x: event.clientX, y: event.clientY };
                        setMenu({ ...place, scope: { diagram, location } });
                      }}
                      onClick={() => focusCell(row, column)}
                      onDoubleClick={() => setWriting({ diagram, location })}
                      onKeyDown={(event) => onKeyDown(event, row, column, { diagram, location })}
                    >
                      {value === undefined ? '–' : <bdi>{inFormat(value, tag.format) ?? shownValue(value, 40)}</bdi>}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className={styles.buttons}>
        <Button size="small" onClick={() => setWriting(currentScope)}>
          Write a value…
        </Button>
        <Button
          size="small"
          disabledFocusable={table.at(currentScope.diagram, currentScope.location) === undefined}
          onClick={() => void clear(currentScope)}
        >
          Clear value
        </Button>
      </div>
      {menu && (
        <RowMenu
          at={menu}
          onClose={() => setMenu(null)}
          entries={[
            { title: 'Write a value…', keys: 'Enter', run: () => setWriting(menu.scope) },
            { title: 'Clear value', keys: 'Delete', run: () => void clear(menu.scope) },
            whyEntry({ thing: `tag:${path}`, scope: menu.scope }, explain),
          ]}
        />
      )}
      {writing && (
        <WriteCell
          tag={tag}
          scope={writing}
          value={table.at(writing.diagram, writing.location)}
          onWritten={() => {
            setWriting(null);
            setWrites((count) => count + 1);
          }}
          onClose={() => setWriting(null)}
        />
      )}
    </section>
  );
}

function Name({ name }: { name: string }) {
  return name === '' ? <i>default</i> : <bdi title={name}>{name}</bdi>;
}

interface WriteProps {
  tag: TagDefinition;
  scope: ViewScope;
  value: Json | undefined;
  onWritten: () => void;
  onClose: () => void;
}

/** Writes the value of one scope: any Diagram and location. */
function WriteCell({ tag, scope, value, onWritten, onClose }: WriteProps) {
  const { client } = useWorkbench();
  const [where, setWhere] = useState(scope);
  const [given] = useState(() => (value === undefined ? '' : editedText(value, tag.type)));
  const [text, setText] = useState(given);
  const [refusal, setRefusal] = useState<string | null>(null);
  const typed = typedValue(text, tag.type);
  const problem = refusal ?? (typed.ok ? null : typed.reason);
  const write = async () => {
    if (!typed.ok) return;
    try {
      await client.tags.set({ items: [{ tag: tag.path, value: typed.value }], ...where });
      onWritten();
    } catch (error) {
      setRefusal(refusalOf(error));
    }
  };
  const change = (next: string) => {
    setText(next);
    setRefusal(null);
  };
  return (
    <FormDialog
      title="Write the value of a scope"
      action="Write"
      className={styles.form}
      changed={text !== given || where.diagram !== scope.diagram || where.location !== scope.location}
      disabled={!typed.ok}
      onSubmit={write}
      onClose={onClose}
    >
      <Field label="Diagram">
        <Input
          value={where.diagram}
          placeholder="default"
          onChange={(_event, { value: next }) => setWhere({ ...where, diagram: next })}
        />
      </Field>
      <Field label="workcenter">
        <Input
          value={where.location}
          placeholder="default"
          onChange={(_event, { value: next }) => setWhere({ ...where, location: next })}
        />
      </Field>
      <Field label={`Value (${tag.type})`} {...(problem === null ? {} : { validationMessage: problem })}>
        {tag.type === 'Json' ? (
          <CodeField language="json" value={text} problem={problem ?? undefined} onChange={change} />
        ) : tag.type === 'Bytes' ? (
          <Textarea rows={5} value={text} onChange={(_event, { value: next }) => change(next)} />
        ) : (
          <Input autoFocus value={text} onChange={(_event, { value: next }) => change(next)} />
        )}
      </Field>
    </FormDialog>
  );
}
