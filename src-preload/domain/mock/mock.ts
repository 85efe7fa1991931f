import type { HeaderPair } from './api-call.ts';
import type { Json } from '../text/json.ts';

/** Characters of a name, and of a URL pattern. */
export const MOCK_LIMITS = { name: 200, url: 8_192 } as const;

export const MOCK_METHODS = ['ANY', 'GET', 'POST', 'PUT', 'DELETE'] as const;
export const MOCK_FAULTS = ['refused', 'reset', 'timeout', 'badTls', 'truncated'] as const;
export type MockFault = (typeof MOCK_FAULTS)[number];

/** What a body must be: hold a text, or be JSON that holds at least these members. */
export type MockBodyMatch = { contains: string } | { json: Json };

export interface MockRequest {
  method: (typeof MOCK_METHODS)[number];
  /**
   * `https://host/path?query`, where `*` stands for any characters within a part, `**` for any parts of the path and
   * `{name}` for one part that the answer may use. Parameters of the query that are not named do not matter.
   */
  url: string;
  /** Headers that must be there; `*` in a value stands for any characters. */
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
  /** ms before the answer, or before the fault. */
  delayMs: number;
  /** What happens instead of an answer; of `truncated` the answer begins and breaks off. */
  fault: MockFault | null;
  /** Whether `{{request.…}}` and the like in a text or JSON body and in header values is replaced. */
  template: boolean;
}

/** A mock as somebody writes it. */
export interface MockRoute {
  name: string;
  enabled: boolean;
  /** Of several mocks that fit the highest answers; of equal ones the oldest. */
  priority: number;
  request: MockRequest;
  answer: MockAnswer;
}

export interface Mock extends MockRoute {
  id: number;
  /** How often it answered. */
  hits: number;
  /** RFC 3339 in UTC. */
  lastHitAt: string | null;
}

/** How often a mock has answered. */
export type MockHits = Pick<Mock, 'id' | 'hits' | 'lastHitAt'>;

/** Mocks were changed; nothing but these counters where there are some: with many mocks a list of all is long. */
export interface MocksChange {
  total: number;
  hits: MockHits[] | null;
}

/** Two changes as one: the second came after the first. */
export function mergeMockChanges(first: MocksChange, second: MocksChange): MocksChange {
  if (first.hits === null || second.hits === null) return { ...second, hits: null };
  const hits = new Map([...first.hits, ...second.hits].map((one) => [one.id, one]));
  return { ...second, hits: [...hits.values()] };
}

/** A request that is tried on the mocks: nothing of it leaves. */
export interface MockTrialRequest {
  method: Exclude<(typeof MOCK_METHODS)[number], 'ANY'>;
  url: string;
  headers: HeaderPair[];
  body: string | null;
}

/** What a script would get from the mocks for a request. */
export interface MockTrial {
  /** The mock that answers; `id` is null for one that is not saved yet. */
  mock: { id: number | null; name: string } | null;
  /** Why the mock that is being edited does not answer; null where it does, or where none is. */
  miss: string | null;
  /** null where there is no answer. */
  answer: {
    status: number;
    headers: HeaderPair[];
    /** null where it is no text. */
    text: string | null;
    /** Of an image, else null. */
    base64: string | null;
    bytes: number;
  } | null;
  /** What a script is told in place of an answer. */
  error: { name: string; message: string } | null;
  ms: number;
}
