import type { RunError } from '#domain/run';
import { ASK, HOST_GLOBAL, START_GLOBAL, type GuestStart, type Host, type Start } from './bridge.ts';
import { apiValueManager } from './api-value-manager.ts';
import { closeConsole, openConsole, runConsole } from './console.ts';
import { describeThrown } from './errors.ts';
import { connectCalls } from './host-call.ts';
import { parse, stringify } from './primordials.ts';
import { tagValueManager } from './tag-value-manager.ts';
import { NOT_JSON, toJsonAtTheEnd } from './to-json.ts';

interface Realm {
  [HOST_GLOBAL]?: Host;
  [START_GLOBAL]?: Start;
  console: unknown;
  TagValueManager: unknown;
  ApiValueManager: unknown;
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
// WebAssembly and shared memory escape the memory limit; a finalizer would run in the time of a later run.
delete realm.WebAssembly;
delete realm.SharedArrayBuffer;
delete realm.Atomics;
delete realm.FinalizationRegistry;
realm.console = console;
realm.TagValueManager = tagValueManager();
realm.ApiValueManager = apiValueManager();
realm[START_GLOBAL] = start;

/** Runs a body in this realm, once. The wrapper of a body calls it; it is gone before the body runs. */
function start(body: () => Promise<unknown>): void {
  delete realm[START_GLOBAL];
  const run = parse(host(ASK.begin, '')) as GuestStart;
  realm.tagName = run.tagName;
  realm.tagScopeDiagram = run.tagScopeDiagram;
  realm.tagScopeLocation = run.tagScopeLocation;
  realm.tagValue = run.tagValue;
  openConsole(run.consoleEntries);
  connectCalls(host);
  void settle(body, run.resultBytes);
}

async function settle(body: () => Promise<unknown>, resultBytes: number): Promise<void> {
  try {
    const value = await body();
    connectCalls(null);
    const json = resultJson(value, resultBytes);
    closeConsole(host);
    host(ASK.returned, json);
  } catch (thrown) {
    connectCalls(null);
    const error = thrown === NOT_JSON ? resultError() : describeThrown(thrown);
    closeConsole(host);
    host(ASK.threw, stringify(error));
  }
}

function resultJson(value: unknown, resultBytes: number): string {
  return toJsonAtTheEnd(value, {
    subject: 'the result',
    maxLength: resultBytes,
    tooLong: `the result is over ${resultBytes / 1024 / 1024} MB (setting limits.resultMb)`,
    notFinite: (place, what) => console.warn(`${place} is ${what}, which JSON cannot say; it became null`),
  });
}

function resultError(): RunError {
  return { name: 'ResultError', message: NOT_JSON.message, line: null, column: null, stack: [] };
}
