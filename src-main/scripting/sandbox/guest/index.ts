import { GUEST_REQUEST, HOST_GLOBAL, START_GLOBAL, type GuestRun, type Host, type Start } from './bridge.ts';
import { closeConsole, openConsole, runConsole, warn } from './console.ts';
import { errorJson, thrownJson } from './errors.ts';
import { connectCalls } from './host-call.ts';
import { addLazyGlobals } from './lazy-globals.ts';
import { parse, PrimitiveUint8Array, sealPromise } from './primordials.ts';
import { tagValueManager } from './tag-value-manager.ts';
import { NOT_JSON, toJsonAtTheEnd } from './to-json.ts';

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

/** Runs a body in this realm, once. The wrapper of a body calls it; it is deleted before the body runs. */
function start(body: Parameters<Start>[0]): void {
  delete realm[START_GLOBAL];
  const run = parse(host(GUEST_REQUEST.begin, '')) as GuestRun;
  realm.tagName = run.tagName;
  realm.tagScopeDiagram = run.tagScopeDiagram;
  realm.tagScopeLocation = run.tagScopeLocation;
  realm.tagValue = run.tagValue;
  openConsole(run.consoleEntries);
  connectCalls(host);
  const counted = run.statements === undefined ? body : body(counterOf(run.statements));
  void settle(counted as () => Promise<unknown>, run.resultBytes);
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
    connectCalls(null);
    const json = resultJson(value, resultBytes);
    closeConsole(host);
    host(GUEST_REQUEST.returned, json);
  } catch (thrown) {
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
