import type { MaybePromise } from '../../../platform/maybe-promise.ts';
import type { HostCalls } from '../script-run.ts';
import {
  checkApiArguments,
  checkApiOperation,
  checkPaths,
  checkScope,
  checkWrites,
  type CheckedCall,
} from './check-message.ts';
import { ProtocolError } from '../../../platform/host-pipe/checks.ts';
import { MAX_CALL_TAGS } from '../protocol/limits.ts';

/** Checks the arguments of a call (ProtocolError if they are impossible) and makes it. */
type HostMethod = (calls: HostCalls, call: CheckedCall) => MaybePromise<unknown>;

/**
 * All requests that a script can make to main. A new API object adds its methods here and its own part to the guest.
 */
const METHODS = new Map<string, HostMethod>([
  [
    'get',
    (calls, { line, args: [tags, diagram, location] }) =>
      calls.get(atMost(checkPaths(tags), 'Get'), checkScope(diagram, location), line),
  ],
  [
    'set',
    (calls, { line, args: [items, diagram, location] }) =>
      calls.set(atMost(checkWrites(items), 'Set'), checkScope(diagram, location), line),
  ],
  [
    'api',
    (calls, { line, args: [operation, args] }) => {
      const checked = { operation: checkApiOperation(operation), args: checkApiArguments(args) };
      if (calls.api) return calls.api(checked.operation, checked.args, line);
      throw new Error('a calculation cannot call APIs; use a script tag instead');
    },
  ],
]);

function atMost<T extends readonly unknown[]>(tags: T, method: string): T {
  if (tags.length <= MAX_CALL_TAGS) return tags;
  const [most, given] = [MAX_CALL_TAGS, tags.length].map((count) => count.toLocaleString('en'));
  throw new Error(`one ${method} takes at most ${most} tags, but this one has ${given}; split it into several`);
}

/** Carries out a call of the script. Throws ProtocolError for one that no script can make. */
export function answerCall(calls: HostCalls, call: CheckedCall): MaybePromise<unknown> {
  const method = METHODS.get(call.method);
  if (method === undefined) throw new ProtocolError('a call of an unknown method');
  return method(calls, call);
}
