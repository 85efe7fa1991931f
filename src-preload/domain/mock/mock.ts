import type { HeaderPair } from './api-call.ts';
import type { Json } from '../text/json.ts';

/** Characters of a name, and of a URL pattern. */
export const MOCK_LIMITS = { name: 200, url: 8_192 } as const;

/** The number of mocks of a workspace. */
export const MAX_MOCKS = 10_000;

/** The files of one import: how many, characters of all, and characters of one request of Bruno. */
export const IMPORT_LIMITS = { files: 5_000, text: 32 * 1_048_576, bru: 1_048_576 } as const;

export const MOCK_METHODS = ['ANY', 'GET', 'POST', 'PUT', 'DELETE'] as const;
export const MOCK_FAULTS = ['refused', 'reset', 'timeout', 'badTls', 'truncated'] as const;
export type MockFault = (typeof MOCK_FAULTS)[number];

/** The condition for a body: it contains a text, or is JSON with at least these members. */
export type MockBodyMatch = { contains: string } | { json: Json };

export interface MockRequest {
  method: (typeof MOCK_METHODS)[number];
  /**
   * `https://host/path?query`, where `*` matches any characters within a segment, `**` any segments of the path and
   * `{name}` one segment, which the response can use. Other parameters of the query are ignored.
   */
  url: string;
  /** Required headers; `*` in a value matches any characters. */
  headers: HeaderPair[];
  body: MockBodyMatch | null;
}

export type MockBody =
  | { kind: 'none' }
  | { kind: 'text'; text: string }
  | { kind: 'json'; json: Json }
  | { kind: 'base64'; base64: string }
  /** A file in the folder `mock-files` of the workspace. */
  | { kind: 'file'; file: string };

export interface MockAnswer {
  status: number;
  headers: HeaderPair[];
  body: MockBody;
  /** ms before the response, or before the fault. */
  delayMs: number;
  /** A fault in place of a response; with `truncated`, the response starts and then the connection ends. */
  fault: MockFault | null;
  /** Whether to replace `{{request.…}}` and similar expressions in a text or JSON body and in header values. */
  template: boolean;
}

export const SEQUENCE_ENDS = ['repeat', 'restart'] as const;
/** What follows the last response: it repeats, or the sequence starts again. */
export type SequenceEnd = (typeof SEQUENCE_ENDS)[number];

/** The number of responses of a mock. */
export const MAX_ANSWERS = 100;

/** The responses after the first one: each call gets the next response. */
export interface MockSequence {
  answers: MockAnswer[];
  end: SequenceEnd;
}

/** A mock as written by the user. */
export interface MockRoute {
  name: string;
  /** Its place in the list, such as `ERP/Orders`; absent: in no folder. Matching ignores it. */
  folder?: string | undefined;
  enabled: boolean;
  /** Among several matching mocks, the highest priority responds; with equal priority, the oldest. */
  priority: number;
  request: MockRequest;
  /** The response; with a sequence, the first one. */
  answer: MockAnswer;
  /** Absent if every call gets the same response. */
  sequence?: MockSequence | undefined;
}

export interface Mock extends MockRoute {
  id: number;
  /** The number of responses. */
  hits: number;
  /** RFC 3339 in UTC. */
  lastHitAt: string | null;
  /** The number of responses since the sequence started. */
  position: number;
}

/** The number of responses of a mock. */
export type MockHits = Pick<Mock, 'id' | 'hits' | 'lastHitAt' | 'position'>;

/** What the user wrote of a mock. */
export function routeOf({ name, folder, enabled, priority, request, answer, sequence }: MockRoute): MockRoute {
  return {
    name,
    ...(folder !== undefined && { folder }),
    enabled,
    priority,
    request,
    answer,
    ...(sequence && { sequence }),
  };
}

/** A change of a saved mock that needs no other part of it; a folder of null is none. */
export interface MockUpdate {
  id: number;
  enabled?: boolean | undefined;
  folder?: string | null | undefined;
}

/** Its counters. */
export function hitsOf({ id, hits, lastHitAt, position }: MockHits): MockHits {
  return { id, hits, lastHitAt, position };
}

/** All responses of a mock, in order. */
export function answersOf({ answer, sequence }: Pick<MockRoute, 'answer' | 'sequence'>): MockAnswer[] {
  return sequence ? [answer, ...sequence.answers] : [answer];
}

/** The index of the response to the next call, after `position` calls. */
export function nextAnswer({ sequence }: Pick<MockRoute, 'sequence'>, position: number): number {
  if (!sequence) return 0;
  const count = sequence.answers.length + 1;
  return sequence.end === 'restart' ? position % count : Math.min(position, count - 1);
}

/** A change of mocks; if only counters have changed, these: with many mocks, a list of all is long. */
export interface MocksChange {
  total: number;
  hits: MockHits[] | null;
}

/** Combines two changes; the second came after the first. */
export function mergeMockChanges(first: MocksChange, second: MocksChange): MocksChange {
  if (first.hits === null || second.hits === null) return { ...second, hits: null };
  const hits = new Map([...first.hits, ...second.hits].map((one) => [one.id, one]));
  return { ...second, hits: [...hits.values()] };
}

/** What an import would add. */
export interface MockPreview {
  format: string;
  /** All of them; `mocks` has the first 1,000. */
  count: number;
  mocks: {
    name: string;
    folder?: string | undefined;
    enabled: boolean;
    method: MockRequest['method'];
    url: string;
    status: string;
  }[];
  /** Parts of the file that no mock can have. */
  skipped: string[];
}

/** A request for a trial of the mocks: nothing is sent. */
export interface MockTrialRequest {
  method: Exclude<(typeof MOCK_METHODS)[number], 'ANY'>;
  url: string;
  headers: HeaderPair[];
  body: string | null;
}

/** The response that a script would get from the mocks. */
export interface MockTrial {
  /** The mock that responds; `id` is null for an unsaved one. */
  mock: { id: number | null; name: string } | null;
  /** Which response of its sequence, from 1; null without a sequence. */
  sequence: { response: number; count: number } | null;
  /** Why the edited mock does not match; null if it does, or if none is edited. */
  miss: string | null;
  /** null without a response. */
  answer: {
    status: number;
    headers: HeaderPair[];
    /** null if it is not text. */
    text: string | null;
    /** The bytes of an image, else null. */
    base64: string | null;
    bytes: number;
  } | null;
  /** The message for the script in place of a response. */
  error: { name: string; message: string } | null;
  ms: number;
}
