import { useMemo, type KeyboardEvent } from 'react';
import { useWorkbench } from '../../../../frame/workbench.ts';
import { useStore } from '../../../../support/store.ts';
import { Button, Checkbox, Select } from '../../../../ui/fluent.ts';
import { DismissRegular } from '../../../../ui/icons.ts';
import { Tree, type TreeRow } from '../../../../ui/lists/tree.tsx';
import { keyOfScript, titleOf } from '../../model/script-document.ts';
import { openAt } from '../../open-at.ts';
import { useScripts } from '../../scripts-context.ts';
import { stateText } from '../model/breakpoint-text.ts';
import { type LineBreakpoint, kindOf, optionsText, type Placement } from '../model/breakpoints.ts';
import { EXCEPTIONS, type PausingExceptions } from '../model/debugger-state.ts';
import styles from './debug.module.css';

const EXCEPTION_NAMES: Readonly<Record<PausingExceptions, string>> = {
  none: 'No exceptions',
  uncaught: 'Uncaught exceptions',
  all: 'All exceptions',
};

/** On which exceptions and at which breakpoints a debugged run pauses. Space turns one on or off, Delete removes it. */
export function BreakpointList() {
  const scripts = useScripts();
  const { breakpoints, debugger: session, sessions } = scripts.debug;
  const { notify } = useWorkbench();
  const breakInAll = useStore(sessions.store, (state) => state.breakInAll);
  const turn = async (on: boolean) => {
    try {
      await sessions.turn(on);
    } catch (error) {
      notify({ intent: 'error', title: '“Break in all runs” was not changed', error });
    }
  };
  const all = useStore(breakpoints.store);
  const placements = useStore(breakpoints.placements);
  const exceptions = useStore(session.exceptions);
  const apiCalls = useStore(session.apiCalls);
  const library = useStore(scripts.model.store, (state) => state.scripts);
  const docs = useStore(scripts.model.store, (state) => state.docs);
  const listed = useMemo(() => {
    const names = new Map(library.map(({ id, name }) => [keyOfScript(id), name]));
    return [...all].flatMap(([key, list]) => {
      const doc = docs.get(key);
      const name = doc ? titleOf(doc.text) : names.get(key);
      // Breakpoints without a name belong to a deleted script.
      return name === undefined ? [] : list.map((breakpoint) => ({ key, name, breakpoint }));
    });
  }, [all, library, docs]);
  const rows = useMemo(
    () => listed.map(({ name, breakpoint }) => rowOf(name, breakpoint, placements.get(breakpoint.id))),
    [listed, placements],
  );
  const of = (id: string) => listed.find(({ breakpoint }) => String(breakpoint.id) === id);

  const onKey = (id: string, event: KeyboardEvent): boolean => {
    const found = of(id);
    if (!found || event.ctrlKey || event.altKey || event.metaKey) return false;
    const { key, breakpoint } = found;
    if (event.key === 'Delete') breakpoints.remove(key, breakpoint.id);
    else if (event.key === ' ') breakpoints.change(key, breakpoint.id, { enabled: !breakpoint.enabled });
    else return false;
    return true;
  };
  const open = (id: string) => {
    const found = of(id);
    if (found) void openAt(scripts, found.key.replace(/^script-/, ''), found.breakpoint.line);
  };
  return (
    <>
      <div className={styles.pauseOn}>
        <label htmlFor="debug-exceptions">Pause on</label>
        <Select
          id="debug-exceptions"
          size="small"
          value={exceptions}
          onChange={(_event, { value }) => session.setExceptions(EXCEPTIONS.find((one) => one === value) ?? 'uncaught')}
        >
          {EXCEPTIONS.map((one) => (
            <option key={one} value={one}>
              {EXCEPTION_NAMES[one]}
            </option>
          ))}
        </Select>
        <Checkbox
          label="API calls"
          title="Pause before each call of an API, to check it or answer it by hand"
          checked={apiCalls}
          onChange={(_event, { checked }) => session.setApiCalls(checked === true)}
        />
        <Checkbox
          label="Break in all runs"
          title="Also pause runs that were started by a Diagram, a rule or a test at these breakpoints"
          checked={breakInAll}
          onChange={(_event, { checked }) => void turn(checked === true)}
        />
        <span className={styles.spring} />
        {listed.length > 0 && (
          <>
            <Checkbox
              label="All on"
              checked={allOn(listed)}
              onChange={(_event, { checked }) => breakpoints.enableAll(checked === true)}
            />
            <Button
              size="small"
              appearance="subtle"
              icon={<DismissRegular />}
              aria-label="Remove all breakpoints"
              title="Remove all breakpoints"
              onClick={() => breakpoints.removeAll()}
            />
          </>
        )}
      </div>
      {rows.length > 0 && <Tree label="Breakpoints" rows={rows} onOpen={open} onToggle={() => {}} onKey={onKey} />}
    </>
  );
}

function allOn(listed: readonly { breakpoint: LineBreakpoint }[]): boolean | 'mixed' {
  const on = listed.filter(({ breakpoint }) => breakpoint.enabled).length;
  return on === listed.length ? true : on === 0 ? false : 'mixed';
}

function rowOf(script: string, breakpoint: LineBreakpoint, placement: Placement | undefined): TreeRow {
  const options = optionsText(breakpoint);
  const state = stateText(breakpoint, placement);
  return {
    id: String(breakpoint.id),
    level: 1,
    label: `${script}, line ${breakpoint.line}${options === '' ? '' : `, ${options}`}`,
    readsContent: true,
    icon: (
      <span
        className={styles.dot}
        data-kind={kindOf(breakpoint)}
        data-on={breakpoint.enabled && placement?.verified !== false}
        aria-hidden
      />
    ),
    content: (
      <span className={styles.frame}>
        <span className={styles.frameName}>
          {script}
          {options !== '' && <span className={styles.options}> {options}</span>}
        </span>{' '}
        <span className={styles.framePlace} title={state}>
          {state === '' ? '' : `${shortState(breakpoint, placement)} · `}line {breakpoint.line}
        </span>
      </span>
    ),
  };
}

function shortState(breakpoint: LineBreakpoint, placement: Placement | undefined): string {
  if (!breakpoint.enabled) return 'off';
  return placement?.verified === false ? 'not reached' : `at ${placement?.line ?? 0}`;
}
