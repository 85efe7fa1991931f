import type { ApiResponse, ApiExchange, ApiOperation } from '#domain/mock/api-call';
import type { PassedArgument } from '../../platform/long-texts/text-in-parts.ts';
import type { JournalRunEnd, JournalScript, RunOrigin } from '#domain/run/journal';
import type { RunContext, RunStatus } from '#domain/run/run';
import type { NestedScript, NestedScriptEnd, ScriptEvaluator } from '#domain/run/script-evaluator';
import { NESTING_ERROR } from '#domain/run/script-evaluator';
import type { Settings } from '#domain/workspace/settings';
import { DEFAULT_SCOPE } from '#domain/tag/scope';
import type { MaybePromise } from '../../platform/maybe-promise.ts';
import { callerNow } from '../../platform/caller.ts';
import { messageOf, TagwrightError } from '../../platform/errors.ts';
import type { Journal } from '../../storage/journal/journal.ts';
import type { LongApi, RecordedApi } from '../../outbound/recorded-call.ts';
import type { CallSecrets, KnownSecrets, RunSecrets } from '../../outbound/secrets/run-secrets.ts';
import type { CallLine, HostCalls, ScriptOutcome, ScriptRun, ScriptRunner } from '../sandbox/script-run.ts';
import { limitsOf } from './run-limits.ts';
import { secretsOf, withSecrets } from './run-secrets.ts';
import { type EndedRun, RunTrace, type TraceRoom, plainCalls, traceRoom, tracedCalls } from './run-trace.ts';

export interface ApiOutcome {
  result: ApiResponse;
  /** Masked. */
  exchange: ApiExchange;
  /** Its number in the call log; absent if it is not logged. */
  logged?: number;
  /** What a capsule records. */
  recorded?: RecordedApi | LongApi;
  /** The secrets that the script used or got. */
  secrets?: () => CallSecrets;
}

/** Makes the calls of ApiValueManager. Never rejects. */
export interface ApiCaller {
  /** The calls of one dry run: they get the same responses of mocks each time. Absent if it is used for one run only. */
  fresh?(): ApiCaller;
  call(call: {
    operation: ApiOperation;
    args: readonly PassedArgument[];
    dryRun: boolean;
    tag: string;
    /** The number of the run in the journal, if it has one. */
    run?: number;
    signal: AbortSignal;
    line?: CallLine;
    /** Whether the outcome needs the call for a capsule. */
    recorded?: boolean;
    /** The secrets that the run knows so far: the exchange does not show them. */
    known?: KnownSecrets;
    /** Called with the response, possibly before the call is described. */
    onResult?(result: ApiResponse): void;
  }): Promise<ApiOutcome>;
}

/** Debugs the runs of a tree: on hosts of its own, with bodies that report to a debugger. */
export interface RunDebugging {
  readonly runner: ScriptRunner;
  /** False if no run waits for a person, so that the total time is limited as usual. */
  readonly pauses?: boolean;
  /** The debugged form of a run; null for one that is not debugged. */
  attach(run: Pick<ScriptRun, 'body' | 'context' | 'parent'>): MaybePromise<DebuggedForm | null>;
}

/** Debugs runs that were started without a debugger. */
export interface OtherDebugging {
  /** Null for a run that is not debugged. */
  of(run: Pick<ScriptRun, 'body' | 'context'>): RunDebugging | null;
}

/** A run under a debugger. */
export interface DebuggedForm extends Pick<ScriptRun, 'body' | 'debug' | 'onConsole'> {
  /** Aborts when a person ends the run. */
  signal: AbortSignal;
  /** The calls of the run, observed, with those of the debugger. */
  calls(own: HostCalls): HostCalls;
  /** The response to a call of an API that a person has given; null if it has to be made. */
  answer(call: {
    operation: ApiOperation;
    args: readonly PassedArgument[];
    known?: KnownSecrets;
  }): Awaited<ReturnType<ApiCaller['call']>> | null;
  /** Called once, with the end of the run; returns it as its author sees it. */
  ended(outcome: ScriptOutcome): ScriptOutcome;
}

/** Counts the runs of watches and conditions that changed nothing, and has some of them recorded. */
export interface RunCounting {
  /** What a run outside of any other counts for; null for one that is not counted. */
  of(script: NestedScript): RunTally | null;
}

export interface RunTally {
  /** Whether the next run is to be recorded: then `record` runs it. */
  readonly isDue: boolean;
  record(script: NestedScript): Promise<NestedScriptEnd>;
  /** A run that was not recorded has ended. */
  ended(outcome: ScriptOutcome, origin: RunOrigin | null): void;
}

interface RunTreeParts {
  /** Absent if scripts can't call APIs. */
  api?: ApiCaller;
  runner: Pick<ScriptRunner, 'run'>;
  settings: { get(): Settings };
  /** Records what runs change. */
  journal?: Pick<Journal, 'begin' | 'end' | 'enabled' | 'hidden'>;
  /** *Break in all runs*: asked for each run without a debugger. */
  others?: { debugging: OtherDebugging | null };
  /** Absent if there is no journal, and null until that is open. */
  counted?: { runs: RunCounting | null };
}

const ENDED = 'the run has ended';
/** A debugged body computes this many times as long; a hot loop, up to 15 times. */
const DEBUGGED_SLOWER = 4;
/** A debugged run waits for a person. */
const DEBUGGED_MS = 24 * 3_600_000;

/**
 * Runs scripts, and the scripts of the tags that they read and write. A nested run never outlives its outer run: the
 * end of the outer run, for whatever reason (result, limit, cancel), cancels it. Time limits and cancels therefore
 * apply to the whole tree.
 */
export class RunTree {
  readonly #parts: RunTreeParts;
  /** Runs scripts of tags that are read or written outside of a run, for example by the table of tags. */
  readonly outside: ScriptEvaluator;

  constructor(parts: RunTreeParts) {
    this.#parts = parts;
    this.outside = new RunOfTree({ ...parts, dryRun: false, depth: -1, scripts: 0, level: 0, trace: null, room: null });
  }

  /** A run that owns everything it causes, and its trace; `api` replaces the usual API calls. */
  root({ dryRun, live = false, script = null, api = this.#parts.api, ownApi, debugging, nested }: RootOptions): {
    run: RunOfTree;
    trace: RunTrace;
    secrets: RunSecrets;
  } {
    const own = traceRoom(0);
    const room = traceRoom(this.#parts.settings.get()['limits.consoleEntries'], own.nested);
    const secrets = secretsOf(this.#parts, ownApi !== undefined);
    const trace = new RunTrace(own, secrets);
    const shared = (dryRun && api?.fresh?.()) || api;
    const parts = {
      ...this.#parts,
      ...(shared && { api: shared, ownApi: ownApi?.(shared) ?? null }),
      ...(debugging && { debugging }),
    };
    const place = nested ? placeOf(nested, -1) : { depth: 0, level: 0 };
    const scripts = nested?.sort === 'tag' ? 1 : 0;
    return {
      run: new RunOfTree({ ...parts, dryRun, live, script, ...place, scripts, trace, room, secrets }),
      trace,
      secrets,
    };
  }
}

interface RootOptions {
  dryRun: boolean;
  /** A run of text that is still being typed. */
  live?: boolean;
  /** The saved script that it runs. */
  script?: JournalScript | null | undefined;
  api?: ApiCaller | undefined;
  /** What the run itself uses in place of these calls; its nested runs do not. */
  ownApi?: (api: ApiCaller) => ApiCaller;
  /** Debugs this run and its nested ones. */
  debugging?: RunDebugging | undefined;
  /** The script of a tag or a condition that it runs outside of any run. */
  nested?: NestedScript | undefined;
}

interface RunParts extends RunTreeParts {
  /** In place of `api`, only for this run. */
  ownApi?: ApiCaller | null;
  /** API calls of a dry run reach mocks only, including those of its nested runs. */
  dryRun: boolean;
  /** Text that is still being typed: within `limits.liveMs`, on an expendable host; its nested runs too. */
  live?: boolean;
  debugging?: RunDebugging;
  /** The saved script of the outermost run. */
  script?: JournalScript | null;
  /** How many runs wait for this one. */
  depth: number;
  /** How many of the runs around this one, and itself, run the script of a tag. */
  scripts: number;
  /** Length of the chain of tags that led to it. */
  level: number;
  /** Where its nested runs are recorded; null outside of a traced run. */
  trace: RunTrace | null;
  /** For the entries of all nested runs of the tree. */
  room: TraceRoom | null;
  /** The secrets that all runs of the tree used or got; absent outside of a run. */
  secrets?: RunSecrets | undefined;
  /** The run that owns the tree; absent for that run itself. */
  root?: object | null;
  /** The run that waits for it. */
  parent?: ScriptRun | null;
}

/** One run of a tree while it is in progress: runs the scripts that its reads and writes cause. */
class RunOfTree implements ScriptEvaluator {
  readonly #parts: RunParts;
  readonly #end = new AbortController();
  readonly #inner = new Set<Promise<unknown>>();
  #run: ScriptRun | null = null;
  #origin: RunOrigin | null = null;

  constructor(parts: RunParts) {
    this.#parts = parts;
  }

  get signal(): AbortSignal {
    return this.#end.signal;
  }

  get root(): object | null {
    const { root, depth } = this.#parts;
    return root ?? (depth < 0 ? null : this);
  }

  get origin(): RunOrigin | null {
    return this.#origin;
  }

  /** Runs a body as this run, and ensures that all nested runs end with it. */
  async execute(
    {
      body,
      context,
      scriptMs,
      sort = 'tag',
      coverage,
      recorded: given,
      processorMs,
      origin,
    }: Pick<NestedScript, 'body' | 'context' | 'scriptMs'> &
      Partial<NestedScript> &
      Pick<ScriptRun, 'coverage' | 'recorded' | 'processorMs'>,
    callsOf: (inner: ScriptEvaluator) => HostCalls,
    signal: AbortSignal | undefined,
  ): Promise<ScriptOutcome> {
    const { settings, depth, parent, trace, live = false, others } = this.#parts;
    // A body that is counted, or recorded on request, has calls of its own.
    const isScript = sort === 'tag' && !live && !coverage && (!given || given.skipped !== undefined);
    const debugging = this.#parts.debugging ?? (isScript ? others?.debugging?.of({ body, context }) : undefined);
    if (debugging) given?.skipped?.();
    const recorded = debugging && given?.skipped ? undefined : given;
    // A condition cannot change anything: it has an entry only if it is recorded.
    this.#origin = (sort === 'tag' || given) && !live ? this.#begin(context, origin) : null;
    const attached = sort === 'tag' && debugging?.attach({ body, context, ...(parent && { parent }) });
    const debugged = attached ? await attached : null;
    const runner = debugging?.runner ?? this.#parts.runner;
    const limits = limitsOf(settings.get(), live);
    if (scriptMs !== undefined) limits.scriptMs = Math.min(limits.scriptMs, scriptMs);
    if (debugging && debugging.pauses !== false) limits.totalMs = DEBUGGED_MS;
    if (debugged) {
      limits.scriptMs *= DEBUGGED_SLOWER;
      // What was added does not count.
      limits.bodyBytes += Buffer.byteLength(debugged.body) - Buffer.byteLength(body);
    }
    try {
      const own = sort === 'tag' ? this.#withApi(callsOf(this), context, debugged) : callsOf(this);
      const calls = debugged ? debugged.calls(own) : own;
      const onStart = () => trace?.started();
      this.#run = {
        body,
        context,
        limits,
        calls,
        depth,
        onStart,
        ...(parent && { parent }),
        ...(live && { expendable: true }),
        ...(coverage && { coverage }),
        ...(recorded && { recorded }),
        ...(processorMs !== undefined && { processorMs: debugged ? processorMs * DEBUGGED_SLOWER : processorMs }),
        ...(signal && { signal }),
        ...(debugged && debuggedRun(debugged, signal)),
      };
      const ended = await runner.run(this.#run);
      const outcome = debugged ? debugged.ended(ended) : ended;
      if (this.#origin) {
        const { secrets, dryRun, journal } = this.#parts;
        if (outcome.error && secrets?.hasUnread) await secrets.read();
        journal?.end(this.#origin, endOf(outcome, dryRun));
      }
      return outcome;
    } finally {
      // With its own reason: creating the default one takes a twentieth of the shortest run.
      this.#end.abort(ENDED);
      await Promise.allSettled(this.#inner);
    }
  }

  /** Its entry in the journal, if it may get one. */
  #begin(context: RunContext, nested: NestedScript['origin']): RunOrigin | null {
    const { journal, script = null, depth, secrets } = this.#parts;
    if (!journal || (depth > 0 && !nested)) return null;
    const { tagName: tag, tagScopeDiagram, tagScopeLocation } = context;
    return journal.begin({
      tag,
      diagram: tagScopeDiagram ?? '',
      location: tagScopeLocation ?? '',
      script: nested ? nested.script : script,
      access: nested ? accessOf(nested, context) : 'run',
      cause: nested ? nested.cause : callerNow(),
      ...(secrets && { secrets }),
    });
  }

  /** API calls belong to the run: they end with it, and its report lists them. */
  #withApi(own: HostCalls, context: RunContext, debugged: DebuggedForm | null): HostCalls {
    const { dryRun, trace, live, secrets: learned } = this.#parts;
    const calls = withSecrets(own, context, this.#parts, this.signal);
    const { tagName: tag } = context;
    const api = this.#parts.ownApi ?? this.#parts.api;
    if (!api) return calls;
    const call = async (request: Parameters<ApiCaller['call']>[0], line: CallLine) => {
      trace?.begin(line);
      try {
        if (learned?.isFull || (debugged && learned?.hasUnread)) await learned.read();
        const { result, exchange, logged, recorded, secrets } = debugged?.answer(request) ?? (await api.call(request));
        trace?.apiCall(exchange, logged);
        if (secrets && !live) learned?.add(secrets(), recorded !== undefined && 'unmasked' in recorded);
        return result;
      } catch (thrown) {
        trace?.rejected([{ access: 'call', path: request.operation, reason: messageOf(thrown) }], DEFAULT_SCOPE);
        throw thrown;
      }
    };
    return {
      ...calls,
      api: (operation, args, line) =>
        new Promise((onResult, reject) => {
          const run = this.#origin?.id;
          const caller = { dryRun, tag, line, ...(run !== undefined && { run }), ...(learned && { known: learned }) };
          const calling = call({ operation, args, ...caller, signal: this.#end.signal, onResult }, line);
          this.#inner.add(calling);
          calling.then(onResult, reject).finally(() => this.#inner.delete(calling));
        }),
    };
  }

  /** Runs the script of a tag, one level below this run. Settles however the script ends. */
  async run(script: NestedScript): Promise<NestedScriptEnd> {
    if (this.signal.aborted) return failed('cancelled', 'CancelledError', 'the outer run has ended');
    const nesting = this.#parts.settings.get()['limits.nesting'];
    if (script.sort === 'tag' && this.#parts.scripts >= nesting) {
      const path = script.chain.join(' → ');
      const message = `scripts of tags are nested more than ${nesting} deep (setting limits.nesting): ${path}`;
      return failed('error', NESTING_ERROR, message);
    }
    const running = this.#runNested(script);
    this.#inner.add(running);
    try {
      return await running;
    } catch (thrown) {
      const unavailable = thrown instanceof TagwrightError && thrown.code === 'UNAVAILABLE';
      return { ...failed('error', 'Error', messageOf(thrown)), ...(unavailable && { unavailable }) };
    } finally {
      this.#inner.delete(running);
    }
  }

  async #runNested(script: NestedScript): Promise<NestedScriptEnd> {
    const { trace: outer, room, depth, scripts, counted } = this.#parts;
    const tally = depth < 0 ? (counted?.runs?.of(script) ?? null) : null;
    if (tally?.isDue) return tally.record(script);
    const secrets = depth < 0 ? secretsOf(this.#parts) : this.#parts.secrets;
    const trace = outer && room && script.sort === 'tag' ? new RunTrace(room, secrets) : null;
    const run = new RunOfTree({
      ...this.#parts,
      ownApi: null,
      ...placeOf(script, depth),
      scripts: scripts + (script.sort === 'tag' ? 1 : 0),
      trace,
      root: this.root,
      parent: this.#run,
      secrets,
    });
    const startedAt = outer?.now ?? 0;
    const outcome = await run.execute(
      script,
      (inner) => (trace ? tracedCalls(script.calls(inner), trace) : plainCalls(script.calls(inner), secrets)),
      (depth < 0 ? script.signal : undefined) ?? this.#end.signal,
    );
    if (trace && room) {
      const through = script.chain.slice(this.#parts.level, -1);
      outer?.nested({ ...endedRun(script.context, outcome, trace, room), through }, startedAt);
    }
    tally?.ended(outcome, run.origin);
    return outcome;
  }
}

/** Calculations are short, so a table that reads them need not wait for long scripts. */
const placeOf = ({ sort, chain }: NestedScript, depth: number) => ({
  depth: sort === 'tag' ? depth + 1 : Math.max(1, depth + 1),
  level: chain.length,
});

function accessOf({ rule }: NonNullable<NestedScript['origin']>, context: RunContext): RunOrigin['access'] {
  if (rule) return 'condition';
  return 'tagValue' in context ? 'write' : 'read';
}

function endOf({ status, error, timing }: ScriptOutcome, dryRun: boolean): JournalRunEnd {
  const text = error && `${error.name}: ${error.message}`;
  return { status, error: text, errorLine: error?.line ?? null, ms: timing.totalMs, dryRun };
}

function debuggedRun({ body, debug, onConsole, signal }: DebuggedForm, outer: AbortSignal | undefined) {
  const either = outer ? AbortSignal.any([outer, signal]) : signal;
  return { body, ...(debug && { debug }), ...(onConsole && { onConsole }), signal: either };
}

function endedRun(
  context: RunContext,
  outcome: ScriptOutcome,
  trace: RunTrace,
  room: TraceRoom,
): Omit<EndedRun, 'through'> {
  const { status, error, console, consoleDropped, timing } = outcome;
  const kept = room.console === 0 ? [] : console.slice(-room.console);
  room.console -= kept.length;
  return {
    tag: context.tagName,
    access: 'tagValue' in context ? 'write' : 'read',
    status,
    error,
    console: kept,
    timing,
    ...trace.report(consoleDropped + console.length - kept.length),
  };
}

function failed(status: RunStatus, name: string, message: string): NestedScriptEnd {
  return { status, result: null, error: { name, message, line: null, column: null, stack: [] } };
}
