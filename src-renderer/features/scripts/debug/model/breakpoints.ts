import type { DebugProtocol } from '@vscode/debugprotocol';
import { Store } from '../../../../support/store.ts';
import type { Memory } from '../../model/scripts-state.ts';

/** The options of a breakpoint; empty texts count as absent. */
export interface BreakpointOptions {
  /** It pauses only if this expression is true. */
  condition: string;
  /** It pauses from this hit on: `5`. */
  hits: string;
  /** A text to log instead of pausing, with expressions in braces. */
  log: string;
}

export interface LineBreakpoint extends BreakpointOptions {
  /** In this window. */
  id: number;
  /** From 1. */
  line: number;
  enabled: boolean;
}

/** Where a debugged run has put a breakpoint. */
export interface Placement {
  verified: boolean;
  /** Where it pauses; null if it does not. */
  line: number | null;
  /** Why it is not verified, or was moved. */
  message: string | null;
}

const MEMORY = 'breakpoints';
const NONE: readonly LineBreakpoint[] = [];
export const PLAIN: BreakpointOptions = { condition: '', hits: '', log: '' };

/** What kind of breakpoint it is, for its mark and its name. */
export function kindOf({ condition, hits, log }: BreakpointOptions): 'plain' | 'conditional' | 'log' {
  if (log !== '') return 'log';
  return condition === '' && hits === '' ? 'plain' : 'conditional';
}

/** The options in words, for lists and tooltips; empty for a plain breakpoint. */
export function optionsText({ condition, hits, log }: BreakpointOptions): string {
  return [
    log === '' ? '' : `log "${log}"`,
    condition === '' ? '' : `if ${condition}`,
    hits === '' ? '' : `from hit ${hits}`,
  ]
    .filter((part) => part !== '')
    .join(', ');
}

/** The breakpoints of all scripts in this browser, by the keys of their docs, and where the debugged run put them. */
export class Breakpoints {
  readonly store = new Store<ReadonlyMap<string, readonly LineBreakpoint[]>>(new Map());
  /** By the ids of breakpoints. */
  readonly placements = new Store<ReadonlyMap<number, Placement>>(new Map());
  readonly #memory: Memory;
  #workspace = '';
  #id = 0;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** Reads the remembered breakpoints of a workspace, once it is known; breakpoints that were set before are kept. */
  load(workspace: string): void {
    if (this.#workspace === workspace) return;
    this.#workspace = workspace;
    const stored = this.#memory.read<Record<string, unknown>>(this.#name(), {});
    const all = new Map(this.store.get());
    for (const [key, list] of Object.entries(stored)) {
      if (!Array.isArray(list) || all.has(key)) continue;
      const known = list.flatMap((one: unknown) => this.#remembered(one));
      if (known.length > 0) all.set(key, known);
    }
    this.#set(all);
  }

  of(key: string): readonly LineBreakpoint[] {
    return this.store.get().get(key) ?? NONE;
  }

  at(key: string, line: number): LineBreakpoint | undefined {
    return this.of(key).find((breakpoint) => breakpoint.line === line);
  }

  /** Adds a breakpoint to a line, or removes the one that it has. */
  toggle(key: string, line: number): void {
    const known = this.at(key, line);
    if (known) this.remove(key, known.id);
    else this.put(key, line, PLAIN);
  }

  /** Sets the options of the breakpoint of a line, which is added if there is none. */
  put(key: string, line: number, options: BreakpointOptions): void {
    const known = this.at(key, line);
    if (known) return this.change(key, known.id, options);
    this.#id += 1;
    this.#replace(key, [...this.of(key), { ...options, id: this.#id, line, enabled: true }]);
  }

  change(key: string, id: number, change: Partial<Omit<LineBreakpoint, 'id'>>): void {
    this.#replace(
      key,
      this.of(key).map((one) => (one.id === id ? { ...one, ...change } : one)),
    );
  }

  remove(key: string, id: number): void {
    this.#replace(
      key,
      this.of(key).filter((one) => one.id !== id),
    );
  }

  removeAll(): void {
    this.#set(new Map());
  }

  /** Turns all of them on, or off. */
  enableAll(enabled: boolean): void {
    const all = [...this.store.get()].map(([key, list]) => [key, list.map((one) => ({ ...one, enabled }))] as const);
    this.#set(new Map(all));
  }

  /** Breakpoints moved with the text: a breakpoint without a line is removed, and two on one line become one. */
  move(key: string, lines: ReadonlyMap<number, number | null>): void {
    const taken = new Set<number>();
    const next = this.of(key).flatMap((one) => {
      const line = lines.has(one.id) ? (lines.get(one.id) ?? null) : one.line;
      if (line === null || taken.has(line)) return [];
      taken.add(line);
      return [line === one.line ? one : { ...one, line }];
    });
    this.#replace(key, next);
  }

  /** A doc got another key with its first save. */
  rename(from: string, to: string): void {
    const moved = this.of(from);
    if (from === to || moved.length === 0) return;
    const all = new Map(this.store.get());
    all.delete(from);
    this.#set(all.set(to, moved));
  }

  /** The debugged run has placed these breakpoints, which were sent in this order. */
  placed(sent: readonly LineBreakpoint[], response: readonly DebugProtocol.Breakpoint[]): void {
    const all = new Map(this.placements.get());
    for (const [index, { id }] of sent.entries()) {
      const one = response[index];
      if (one) all.set(id, placementOf(one));
    }
    this.placements.set(all);
  }

  /** The debugged run has moved or verified a breakpoint later. */
  placedLater(id: number, breakpoint: DebugProtocol.Breakpoint): void {
    this.placements.set(new Map(this.placements.get()).set(id, placementOf(breakpoint)));
  }

  /** There is no debugged run anymore. */
  forgetPlacements(): void {
    if (this.placements.get().size > 0) this.placements.set(new Map());
  }

  #replace(key: string, list: readonly LineBreakpoint[]): void {
    const before = this.of(key);
    if (before.length === list.length && before.every((one, index) => one === list[index])) return;
    const all = new Map(this.store.get());
    if (list.length === 0) all.delete(key);
    else
      all.set(
        key,
        list.toSorted((a, b) => a.line - b.line),
      );
    this.#set(all);
  }

  #set(all: ReadonlyMap<string, readonly LineBreakpoint[]>): void {
    this.store.set(all);
    if (this.#workspace === '') return;
    const stored = [...all].map(([key, list]) => [key, list.map(({ id: _id, ...rest }) => rest)]);
    this.#memory.write(this.#name(), stored.length === 0 ? null : Object.fromEntries(stored));
  }

  #remembered(stored: unknown): LineBreakpoint[] {
    if (typeof stored !== 'object' || stored === null || !('line' in stored)) return [];
    const { line } = stored;
    if (typeof line !== 'number' || !Number.isSafeInteger(line) || line < 1) return [];
    const text = (name: keyof BreakpointOptions): string => {
      const value: unknown = Reflect.get(stored, name);
      return typeof value === 'string' ? value : '';
    };
    this.#id += 1;
    const enabled = !('enabled' in stored && stored.enabled === false);
    return [{ id: this.#id, line, enabled, condition: text('condition'), hits: text('hits'), log: text('log') }];
  }

  #name(): string {
    return `${this.#workspace}.${MEMORY}`;
  }
}

function placementOf({ verified, line, message }: DebugProtocol.Breakpoint): Placement {
  return { verified, line: verified ? (line ?? null) : null, message: message ?? null };
}

/** A breakpoint as the protocol sends it. */
export function sentBreakpoint({ line, condition, hits, log }: LineBreakpoint): DebugProtocol.SourceBreakpoint {
  return {
    line,
    ...(condition !== '' && { condition }),
    ...(hits !== '' && { hitCondition: hits }),
    ...(log !== '' && { logMessage: log }),
  };
}
