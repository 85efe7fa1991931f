import type { RunError } from '#domain/run';
import { ASK, HOST_GLOBAL, START_GLOBAL, type GuestStart, type Host } from './bridge.ts';
import { RunConsole } from './console.ts';
import { describeThrown } from './errors.ts';
import { HostCall } from './host-call.ts';
import { defineProperty, parse, stringify } from './primordials.ts';
import { tagValueManager } from './tag-value-manager.ts';
import { NotJsonError, toJsonAtTheEnd } from './to-json.ts';

const realm = globalThis as unknown as Record<string, unknown>;
const host = realm[HOST_GLOBAL] as Host;
const calls = new HostCall(host);
const console = new RunConsole(host);

// WebAssembly and shared memory escape the memory limit; a finalizer would run in the time of a later run.
for (const name of [HOST_GLOBAL, 'WebAssembly', 'SharedArrayBuffer', 'Atomics', 'FinalizationRegistry']) {
  delete realm[name];
}
ambient('console', console.global());
ambient('TagValueManager', tagValueManager(calls));
ambient(START_GLOBAL, start);

/** Runs a body in this realm, once. The wrapper of a body calls it; it is gone before the body runs. */
function start(body: () => Promise<unknown>): void {
  delete realm[START_GLOBAL];
  const run = parse(host(ASK.begin, '')) as GuestStart;
  ambient('tagName', run.tagName);
  ambient('tagScopeDiagram', run.tagScopeDiagram);
  ambient('tagScopeLocation', run.tagScopeLocation);
  ambient('tagValue', run.tagValue);
  console.open(run.consoleEntries);
  calls.open();
  void settle(body, run.resultBytes);
}

async function settle(body: () => Promise<unknown>, resultBytes: number): Promise<void> {
  try {
    const value = await body();
    calls.close();
    host(ASK.returned, resultJson(value, resultBytes));
  } catch (thrown) {
    calls.close();
    host(ASK.threw, stringify(thrown instanceof NotJsonError ? resultError(thrown) : describeThrown(thrown)));
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

function resultError(problem: NotJsonError): RunError {
  return { name: 'ResultError', message: problem.message, line: null, column: null, stack: [] };
}

function ambient(name: string, value: unknown): void {
  defineProperty(realm, name, { value, writable: true, enumerable: false, configurable: true });
}
