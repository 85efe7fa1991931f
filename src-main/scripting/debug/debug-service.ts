import { randomUUID } from 'node:crypto';
import { type Breakpoint, DEBUG_LIMITS, type DebugSessionSummary, type DebugState } from '#domain/run/debug';
import type { RunContext } from '#domain/run/run';
import type { TestOutcome } from '#domain/run/script-test';
import type { ShownValues } from '#domain/run/shown-values';
import type { TagValue } from '#domain/tag/tag';
import type { Json } from '#domain/text/json';
import type { Clock } from '../../platform/clock.ts';
import { TagwrightError } from '../../platform/errors.ts';
import { Listeners } from '../../platform/events.ts';
import type { MaybePromise } from '../../platform/maybe-promise.ts';
import type { RunService } from '../runs/run-service.ts';
import type { OtherDebugging, RunDebugging } from '../runs/run-tree.ts';
import type { ScriptRun } from '../sandbox/script-run.ts';
import type { HostRules } from '../sandbox/supervisor/host-command.ts';
import { ScriptHostPool, type ScriptHostPoolOptions } from '../sandbox/supervisor/script-host-pool.ts';
import { type DapResponse, DebugAdapter } from './debug-adapter.ts';
import { DebugEvents, type DebugMessage } from './debug-events.ts';
import type { AdapterParts } from './debug-launch.ts';
import { originOfTag, type ScriptNames } from './debug-sources.ts';
import { debugBodyOf, DebuggedRun } from './debugged-run.ts';
import { type NotedRunParts, runWithNotes } from '../values/noted-run.ts';

export interface DebugServiceParts {
  runs: Pick<RunService, 'execute'>;
  tests: {
    run(
      request: { id: number; body?: string | undefined },
      signal: AbortSignal | undefined,
      debugging: RunDebugging,
    ): Promise<TestOutcome>;
    subject(id: number): { scriptId: number; context: RunContext };
  };
  names: ScriptNames;
  tags: { get(input: { paths: readonly string[]; diagram: string; location: string }): MaybePromise<TagValue[]> };
  hosts: Pick<ScriptHostPoolOptions, 'hostFile' | 'nodeBinary' | 'sandbox' | 'log'>;
  rules: () => HostRules;
  /** Replaces secrets in a text; null if there are none. */
  mask: () => ((text: string) => string) | null;
  /** Setting `debug.pausedMinutes`. */
  pausedMinutes: () => number;
  clock: Clock;
  log: (where: string, fault: unknown) => void;
}

interface Open {
  adapter: DebugAdapter;
  events: DebugEvents;
  state: DebugState;
  since: string;
  breakInAll: boolean;
}

interface BreakInAll {
  on: boolean;
  scripts: { scriptId: number; breakpoints: Breakpoint[] }[];
}

/** Sessions that have ended and have no followers: a window may come back. */
const MOST_ENDED = 5;
/** Changes by steps are notified together after this time. */
const STEPS_MS = 200;

const isPausing = (state: DebugState): boolean => state === 'running' || state === 'paused';

/**
 * Debug sessions, each with hosts of its own outside of the pool of other runs, so that a paused run delays no other. The
 * first session starts a host, and one stays warm for the next.
 */
export class DebugService implements OtherDebugging {
  readonly #parts: DebugServiceParts;
  readonly #open = new Map<string, Open>();
  readonly #changes = new Listeners<Record<string, never>>();
  #pool: ScriptHostPool | null = null;
  #breakInAll: BreakInAll = { on: false, scripts: [] };
  #isClosed = false;
  #last: { body: string; run: Promise<DebuggedRun> } | null = null;
  #notifying: NodeJS.Timeout | null = null;

  constructor(parts: DebugServiceParts) {
    this.#parts = parts;
  }

  /** Called when sessions begin, pause, continue or end; the returned function removes the listener. */
  onChange(listener: (change: Record<string, never>) => void): () => void {
    return this.#changes.add(listener);
  }

  async *open({ session }: { session?: string }, signal: AbortSignal): AsyncGenerator<DebugMessage, void, void> {
    const id = session ?? this.#create(false);
    const { events } = this.#of(id);
    try {
      yield* events.follow({ type: 'session', session: id }, signal);
    } finally {
      const left = this.#open.get(id);
      // Nothing was launched, so no client can ask for it later.
      if (left?.state === 'ready' && left.events.followers === 0) await this.#remove(id);
      this.#forgetEnded();
    }
  }

  send(request: { session: string; command: string; arguments?: Json }): Promise<DapResponse> {
    return this.#of(request.session).adapter.send(request.command, request.arguments);
  }

  sessions(): DebugSessionSummary[] {
    return [...this.#open].map(([session, { adapter, state, since, breakInAll }]) => ({
      session,
      name: adapter.name,
      scriptId: adapter.scriptId,
      tag: adapter.tag,
      state,
      since,
      breakInAll,
    }));
  }

  /**
   * Runs a body once, noting what its variables become and which of its statements run. Aborting cancels the run, which
   * still reports.
   */
  values(request: { body: string; context: RunContext; dryRun: boolean }, signal?: AbortSignal): Promise<ShownValues> {
    const { runs, mask } = this.#parts;
    const run: NotedRunParts['run'] = (given, debugging) => runs.execute(given, signal, debugging);
    return runWithNotes(request, { runner: this.#hosts(), run, mask });
  }

  breakInAll(given: BreakInAll): void {
    this.#breakInAll = given;
    this.#changes.emit({});
  }

  breaksInAll(): BreakInAll {
    return this.#breakInAll;
  }

  /** *Break in all runs*: a run whose script has breakpoints gets a session of its own. */
  of(run: Pick<ScriptRun, 'body' | 'context'>): RunDebugging | null {
    const { on, scripts } = this.#breakInAll;
    if (!on || this.#isClosed) return null;
    const breakpoints = new Map(scripts.map(({ scriptId, breakpoints: some }) => [`script:${scriptId}`, some]));
    const { key } = originOfTag(this.#parts.names, run.context);
    const isWanted = (breakpoints.get(key) ?? []).length > 0;
    if (!isWanted || this.#isFull()) return null;
    const id = this.#create(true);
    return this.#of(id).adapter.adopt(run, breakpoints);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#notifying !== null) clearTimeout(this.#notifying);
    await Promise.all([...this.#open.keys()].map((id) => this.#remove(id)));
    this.#changes.clear();
    await this.#pool?.close();
  }

  #create(breakInAll: boolean): string {
    this.#forgetEnded();
    if (this.#isFull()) {
      const message = `${DEBUG_LIMITS.sessions} scripts are being debugged. End one of them first.`;
      throw new TagwrightError('UNAVAILABLE', message);
    }
    const id = randomUUID();
    const events = new DebugEvents();
    const adapter = new DebugAdapter(this.#adapterParts(id), events, (state) => this.#changed(id, state));
    this.#open.set(id, { adapter, events, state: 'ready', since: this.#parts.clock.iso(), breakInAll });
    this.#hosts().start();
    this.#changes.emit({});
    return id;
  }

  #adapterParts(id: string): AdapterParts {
    const { runs, tests, names, tags, pausedMinutes, log } = this.#parts;
    return {
      names,
      runner: () => this.#hosts(),
      run: (request, debugging) => runs.execute(request, undefined, debugging),
      runTest: (request, debugging) => tests.run(request, undefined, debugging),
      test: (testId) => tests.subject(testId),
      tags: {
        // A script that pauses would never respond.
        get: (paths, scope) => (this.#breakInAll.on ? [] : tags.get({ paths, ...scope })),
      },
      check: (body) => this.#checked(body),
      placed: async (body, breakpoints) => {
        try {
          return (await this.#checked(body)).setBreakpoints(breakpoints);
        } catch {
          return null;
        }
      },
      pausedMs: () => pausedMinutes() * 60_000,
      remove: () => void this.#remove(id),
      log,
    };
  }

  /**
   * A run of the body that never starts; the last one again for the same body, because a launch asks several times, and
   * each takes up to 75 ms. Throws BAD_REQUEST for a body that cannot be debugged.
   */
  #checked(body: string): Promise<DebuggedRun> {
    if (this.#last?.body !== body) {
      const run = debugBodyOf(body).then(
        (debug) => new DebuggedRun(body, debug, NOWHERE, { exceptions: 'none' }, NO_LISTENER),
      );
      this.#last = { body, run };
    }
    return this.#last.run;
  }

  #isFull(): boolean {
    return [...this.#open.values()].filter(({ state }) => state !== 'ended').length >= DEBUG_LIMITS.sessions;
  }

  #changed(id: string, state: DebugState): void {
    const open = this.#open.get(id);
    if (!open) return;
    const isStep = isPausing(open.state) && isPausing(state);
    open.state = state;
    open.since = this.#parts.clock.iso();
    if (isStep) this.#notifySoon();
    else this.#changes.emit({});
    if (state === 'ended') this.#forgetEnded();
  }

  /** Everyone who is notified reads the list: steps must not wait for that. */
  #notifySoon(): void {
    this.#notifying ??= setTimeout(() => {
      this.#notifying = null;
      this.#changes.emit({});
    }, STEPS_MS).unref();
  }

  /** Removes sessions that have ended long ago. */
  #forgetEnded(): void {
    const unfollowed = [...this.#open].filter(([, { state, events }]) => state === 'ended' && events.followers === 0);
    for (const [id] of unfollowed.slice(0, Math.max(0, unfollowed.length - MOST_ENDED))) void this.#remove(id);
  }

  async #remove(id: string): Promise<void> {
    const open = this.#open.get(id);
    if (!open) return;
    this.#open.delete(id);
    this.#changes.emit({});
    await open.adapter.close();
    open.events.close();
  }

  #hosts(): ScriptHostPool {
    this.#pool ??= new ScriptHostPool({
      ...this.#parts.hosts,
      rules: this.#parts.rules(),
      forDebug: true,
      // Nested runs have hosts of their own beyond these.
      count: DEBUG_LIMITS.sessions,
      // A launch need not wait for a process.
      spare: true,
    });
    this.#pool.follow(this.#parts.rules());
    return this.#pool;
  }

  #of(session: string): Open {
    const open = this.#open.get(session);
    if (!open) throw new TagwrightError('NOT_FOUND', 'This debug session does not exist: it has ended.');
    return open;
  }
}

const NO_LISTENER = { paused: () => undefined, continued: () => undefined, logged: () => undefined };
const NOWHERE = { tagName: '', tagScopeDiagram: null, tagScopeLocation: null };
