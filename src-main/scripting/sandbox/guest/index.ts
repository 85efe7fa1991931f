import { GUEST_REQUEST, HOST_GLOBAL, START_GLOBAL, type GuestRun, type Host, type Start } from './bridge.ts';
import type { GuestDebug, GuestNotes } from '../protocol/debug.ts';
import { closeConsole, openConsole, runConsole, warn } from './console.ts';
import { errorJson, thrownJson } from './errors.ts';
import { connectCalls } from './host-call.ts';
import { addLazyGlobals } from './lazy-globals.ts';
import { apply, parse, PrimitiveUint8Array, sealPromise } from './primordials.ts';
import { tagValueManager } from './tag-value-manager.ts';
import { NOT_JSON, toJsonAtTheEnd } from './to-json.ts';
import { recordGlobals } from './recorded-globals.ts';

interface Realm {
  [HOST_GLOBAL]?: Host;
  [START_GLOBAL]?: Start;
  console: unknown;
  TagValueManager: unknown;
  tagName: string;
  tagScopeDiagram: string | null;
  tagScopeLocation: string | null;
  tagValue: unknown;
  WebAssembly?: unknown;
  SharedArrayBuffer?: unknown;
  Atomics?: unknown;
  FinalizationRegistry?: unknown;
}

const realm = globalThis as unknown as Realm;
const host = realm[HOST_GLOBAL] as Host;
const console = runConsole(host);

delete realm[HOST_GLOBAL];
// WebAssembly and shared memory escape the memory limit; a finalizer would run during a later run.
delete realm.WebAssembly;
delete realm.SharedArrayBuffer;
delete realm.Atomics;
delete realm.FinalizationRegistry;
realm.console = console;
realm.TagValueManager = tagValueManager();
realm[START_GLOBAL] = start;
addLazyGlobals();

/** The part of the debugger, or of what notes values, that a run needs. */
interface RealmDebugger {
  probes(): unknown[];
  uncaught(thrown: unknown): void;
  returned(): void;
}

let makeDebugger: ((debug: GuestDebug | GuestNotes) => RealmDebugger) | null = null;
let debugging: RealmDebugger | null = null;

/** Debugged runs use this; only the guest of debugged runs has one. */
export function useDebugger(make: (debug: GuestDebug | GuestNotes) => RealmDebugger): void {
  makeDebugger = make;
}

/** Runs a body in this realm, once. The wrapper of a body calls it; it is deleted before the body runs. */
function start(body: Parameters<Start>[0]): void {
  delete realm[START_GLOBAL];
  const run = parse(host(GUEST_REQUEST.begin, '')) as GuestRun;
  if (run.recorded !== undefined) recordGlobals(host, run.recorded.everyLine);
  realm.tagName = run.tagName;
  realm.tagScopeDiagram = run.tagScopeDiagram;
  realm.tagScopeLocation = run.tagScopeLocation;
  realm.tagValue = run.tagValue;
  openConsole(run.consoleEntries);
  connectCalls(host);
  void settle(withProbes(body, run) as () => Promise<unknown>, run.resultBytes);
}

/** A body that counts its statements, or is debugged, is made by a function that gets what it calls. */
function withProbes(body: Parameters<Start>[0], { statements, debug }: GuestRun): unknown {
  if (debug !== undefined && makeDebugger !== null) {
    debugging = makeDebugger(debug);
    return apply(body, undefined, debugging.probes());
  }
  return statements === undefined ? body : body(counterOf(statements));
}

/** Reports the first execution of each statement. A script that calls it itself changes only its own coverage. */
function counterOf(statements: number): (statement: number) => void {
  const seen = new PrimitiveUint8Array(statements);
  return (statement) => {
    if (typeof statement !== 'number' || seen[statement] !== 0) return;
    seen[statement] = 1;
    host(GUEST_REQUEST.covered, `${statement}`);
  };
}

async function settle(body: () => Promise<unknown>, resultBytes: number): Promise<void> {
  try {
    const settled = body();
    sealPromise(settled);
    const value = await settled;
    if (debugging !== null) debugging.returned();
    connectCalls(null);
    const json = resultJson(value, resultBytes);
    closeConsole(host);
    host(GUEST_REQUEST.returned, json);
  } catch (thrown) {
    if (debugging !== null) debugging.uncaught(thrown);
    connectCalls(null);
    const error = thrown === NOT_JSON ? errorJson('ResultError', NOT_JSON.message) : thrownJson(thrown);
    closeConsole(host);
    host(GUEST_REQUEST.threw, error);
  }
}

function resultJson(value: unknown, resultBytes: number): string {
  return toJsonAtTheEnd(value, {
    subject: 'the result',
    maxLength: resultBytes,
    tooLong: `the result exceeds ${resultBytes / 1024 / 1024} MB (setting limits.resultMb)`,
    lost: (place, what, became) => warn(host, `${place} is ${what}: not representable in JSON, ${became}`),
  });
}
