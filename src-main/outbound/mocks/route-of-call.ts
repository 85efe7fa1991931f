import type { MockFault, MockRoute } from '#domain/mock/mock';
import { messageOf, TagwrightError } from '../../platform/errors.ts';
import type { KeptCall } from '../call-answers.ts';
import { checkedRoute } from './check-route.ts';
import type { MockFiles } from './mock-files.ts';
import { recorded } from './recorder.ts';

/** The fault of a mock that a script sees as this failure. */
const FAULTS: Readonly<Record<string, MockFault>> = {
  ConnectionRefused: 'refused',
  ConnectionReset: 'reset',
  Timeout: 'timeout',
  TlsError: 'badTls',
};

/**
 * A mock that answers as a call was answered, or fails as it failed. Where no mock answered an offline call, it answers
 * with an empty object, for somebody to fill in. BAD_REQUEST for a call that no mock can stand for.
 */
export function routeOfCall({ request, response, error, mask }: KeptCall, files: MockFiles): MockRoute {
  const nothing = { status: 200, headers: [], body: Buffer.alloc(0) };
  const route = fitting(recorded(request, response ?? nothing, mask, files));
  if (response !== null) return route;
  const fault = (error !== null && FAULTS[error]) || null;
  return { ...route, answer: { ...route.answer, fault, body: { kind: 'json', json: {} } } };
}

function fitting(route: MockRoute): MockRoute {
  try {
    return checkedRoute(route);
  } catch (thrown) {
    throw new TagwrightError('BAD_REQUEST', `No mock can stand for this call: ${messageOf(thrown)}.`);
  }
}
