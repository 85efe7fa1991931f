import type { MockFault, MockRoute } from '#domain/mock';
import type { KeptCall } from '../call-answers.ts';
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
 * with an empty object, for somebody to fill in.
 */
export function routeOfCall({ request, response, error, mask }: KeptCall, files: MockFiles): MockRoute {
  const nothing = { status: 200, headers: [], body: Buffer.alloc(0) };
  const route = recorded(request, response ?? nothing, mask, files);
  if (response !== null) return route;
  const fault = (error !== null && FAULTS[error]) || null;
  return { ...route, answer: { ...route.answer, fault, body: { kind: 'json', json: {} } } };
}
