// oxlint-disable-next-line typescript/triple-slash-reference -- a module that exists in the bundler alone
/// <reference path="../../../../src-main/scripting/sandbox/build/virtual-modules.d.ts" />
import { createContext, Script } from 'node:vm';
import guestSource from 'virtual:guest-source';
import { GUEST_REQUEST, HOST_GLOBAL, START_GLOBAL } from '../../../../src-main/scripting/sandbox/guest/bridge.ts';
import type { RunError } from '#domain/run/run';

const guest = new Script(guestSource);

interface GuestRun {
  result?: unknown;
  error?: RunError;
  console: string[];
  /** The same as they were sent. */
  frames: string[];
  dropped: number;
  calls: unknown[][];
}

/** An entry as level and text, without its line and values. */
function plainEntry(frame: string): string {
  const head = /^([5-9])\d*\|(\d+)\|/.exec(frame);
  return head === null ? frame : `${Number(head[1]) - 5}${frame.slice(head[0].length + Number(head[2]))}`;
}

/** The logged values of an entry. */
export function valuesOf(frame = ''): unknown[] {
  const head = /^[5-9]\d*\|(\d+)\|/.exec(frame);
  return head === null ? [] : JSON.parse(frame.slice(head[0].length, head[0].length + Number(head[1])));
}

/** Runs a body in the real guest, in a realm of this process. Every tag is `Good`, and its value is its index. */
export async function run(body: string, response: (call: unknown[]) => unknown = place): Promise<GuestRun> {
  const seen: GuestRun = { console: [], frames: [], dropped: 0, calls: [] };
  const start = {
    tagName: 'A.B.C',
    tagScopeDiagram: 'D',
    tagScopeLocation: null,
    consoleEntries: 3,
    resultBytes: 1000,
  };
  const host = (request: number, text: string): string => {
    if (request === GUEST_REQUEST.begin) return JSON.stringify(start);
    if (request === GUEST_REQUEST.console) {
      seen.console.push(plainEntry(text));
      seen.frames.push(text);
    }
    if (request === GUEST_REQUEST.consoleDropped) seen.dropped = Number(text);
    if (request === GUEST_REQUEST.returned) seen.result = JSON.parse(text);
    if (request === GUEST_REQUEST.threw) seen.error = JSON.parse(text);
    if (request !== GUEST_REQUEST.call) return '';
    const call: unknown[] = JSON.parse(text);
    seen.calls.push(call);
    return JSON.stringify(response(call));
  };
  const realm = createContext({ [HOST_GLOBAL]: host }, { microtaskMode: 'afterEvaluate' });
  guest.runInContext(realm);
  new Script(`${START_GLOBAL}(async function () {\n${body}\n})`, { filename: 'script', lineOffset: -1 }).runInContext(
    realm,
  );
  await Promise.resolve();
  return seen;
}

function place([method, , items]: unknown[]): unknown {
  const list: { value?: unknown }[] = Array.isArray(items) ? items : [];
  const values = list.map((item, index) => (method === 'set' ? item.value : index));
  return { value: { values, qualities: list.map(() => 'Good'), types: list.map(() => 'Int') } };
}

export const resultOf = async (body: string) => (await run(body)).result;
export const messageOf = async (body: string) => (await run(body)).error?.message;
