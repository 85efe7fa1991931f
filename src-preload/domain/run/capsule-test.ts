import { API_PARAMETERS, type HeaderPair } from '../mock/api-call.ts';
import {
  MAX_ANSWERS,
  MOCK_METHODS,
  type MockAnswer,
  type MockBody,
  type MockBodyMatch,
  type MockFault,
  type MockRoute,
} from '../mock/mock.ts';
import type { Json } from '../text/json.ts';
import { bodyOf, type Capsule, type RecordedApiCall } from './capsule.ts';
import { type ScriptTestText, type TagFixture, TEST_LIMITS, testOfRun } from './script-test.ts';

type Content = Omit<Capsule, 'hash'>;

/** A test that expects what a recorded run did, and what of the run it cannot hold. */
export interface CapsuleTest {
  test: ScriptTestText;
  lost: string[];
}

/** Failures without a response that a mock can repeat. */
const FAULTS: Readonly<Record<string, MockFault>> = {
  ConnectionRefused: 'refused',
  ConnectionReset: 'reset',
  TlsError: 'badTls',
  Timeout: 'timeout',
};
/** Headers that belong to the connection, or that the mock adds itself. */
const OWN_HEADERS = /^(?:connection|content-encoding|content-length|date|keep-alive|transfer-encoding)$/i;
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]{1,200}$/;
const MAX_MATCHED = 65_536;
const READS_RANDOM = /\bMath\s*\.\s*random\b|\bcrypto\b/;

/** The test of a capsule: its first readings as fixtures, its API calls as mocks, and its outcome as expected results. */
export function testOfCapsule(name: string, capsule: Content): CapsuleTest {
  const { report, context, masked, environment } = capsule;
  const test = testOfRun(name, context, report);
  const { mocks, lost } = mocksOf(capsule);
  const fixtures = fixturesOf(test.tags, capsule, lost);
  lost.push(...changedReadings(capsule));
  if (report.dropped.reads > 0) lost.push(`${report.dropped.reads} reads that the report does not list`);
  if (environment.clock.steps.length > 0)
    lost.push('the time: the script reads the clock, and a test has the real one');
  if (READS_RANDOM.test(bodyOf(capsule))) lost.push('random numbers: they differ in each run of a test');
  const places = masked.places.length + masked.more;
  if (places > 0) lost.push(`secrets: they are *** in ${places === 1 ? '1 place' : `${places} places`}`);
  if (capsule.calls.some((call) => call.kind === 'set' && call.error))
    lost.push('rejected writes: in a test, a Set fails only if its values do not fit the tags');
  if (report.nested) lost.push('the scripts of tags: their tags have fixed values in the test');
  return {
    test: { ...test, tags: fixtures.slice(0, TEST_LIMITS.tags), mocks: mocks.slice(0, TEST_LIMITS.mocks) },
    lost,
  };
}

/** The fixtures that a test can have: with the type of the tag, also of tags that were missing although they exist. */
function fixturesOf(fixtures: readonly TagFixture[], { tags, calls }: Content, lost: string[]): TagFixture[] {
  const types = new Map(tags.map(({ path, type }) => [path, type]));
  const [missing, others] = [new Map<string, TagFixture>(), new Set<string>()];
  for (const call of calls) {
    if (call.kind !== 'get') continue;
    const { diagram, location } = call;
    for (const { path, type, quality } of call.values ?? []) {
      const own = types.get(path);
      if (own === undefined || type === own) continue;
      if (type !== 'Unknown') others.add(path);
      else
        missing.set(JSON.stringify([path, diagram, location]), { tag: path, value: null, quality, diagram, location });
    }
  }
  for (const path of others) lost.push(`values of another type: ${path} has its own type in the test`);
  return [...fixtures.filter(({ tag }) => !others.has(tag)), ...missing.values()];
}

/** Tags that the run read with different values before it wrote them: a fixture has one value. */
function changedReadings({ calls }: Content): string[] {
  const first = new Map<string, string>();
  const written = new Set<string>();
  const changed = new Set<string>();
  for (const call of calls) {
    if (call.kind === 'set') for (const { path } of call.written ?? []) written.add(path);
    if (call.kind !== 'get') continue;
    for (const { path, value, quality } of call.values ?? []) {
      const key = JSON.stringify([path, call.diagram, call.location]);
      const seen = JSON.stringify([value, quality]);
      const before = first.get(key);
      if (before === undefined) first.set(key, seen);
      else if (before !== seen && !written.has(path)) changed.add(path);
    }
  }
  return [...changed].map((path) => `later values of ${path}: the test has the first one`);
}

function mocksOf({ calls }: Content): { mocks: MockRoute[]; lost: string[] } {
  const lost: string[] = [];
  const groups = new Map<string, { route: MockRoute; answers: MockAnswer[] }>();
  for (const call of calls) {
    if (call.kind !== 'api' || !call.exchange) continue;
    const { method, url, error } = call.exchange;
    // Without a mock, the call fails in the test as it did.
    if (error === 'NoMock' || error === 'InvalidArgument') continue;
    const answer = answerOf(call);
    if (!answer) {
      lost.push(`the failure ${error ?? 'of an unknown kind'} of ${method} ${url}: no mock repeats it`);
      continue;
    }
    const body = matchOf(call);
    const key = JSON.stringify([method, url, body as Json]);
    const known = groups.get(key);
    if (known) known.answers.push(answer);
    else groups.set(key, { route: routeOf(call, groups.size + 1, body, answer), answers: [answer] });
  }
  const mocks = [...groups.values()].map(({ route, answers }): MockRoute => {
    const [, ...others] = answers.slice(0, MAX_ANSWERS);
    if (answers.length > MAX_ANSWERS) lost.push(`responses after the ${MAX_ANSWERS}th of ${route.name}`);
    return others.length === 0 ? route : { ...route, sequence: { answers: others, end: 'repeat' } };
  });
  return { mocks, lost };
}

function routeOf(
  { exchange }: RecordedApiCall,
  place: number,
  body: MockBodyMatch | null,
  answer: MockAnswer,
): MockRoute {
  const { method = '', url = '' } = exchange ?? {};
  const path = url.replace(/^[a-z]+:\/\//i, '').replace(/[?#].*$/s, '');
  return {
    name: `${place} ${method} ${path}`.slice(0, 200),
    enabled: true,
    priority: 0,
    // A mask is a wildcard of the pattern.
    request: { method: MOCK_METHODS.find((one) => one === method) ?? 'ANY', url, headers: [], body },
    answer,
  };
}

/** The payload, if it can be compared: nothing in it was masked. */
function matchOf({ operation, args }: RecordedApiCall): MockBodyMatch | null {
  const payload = args[API_PARAMETERS[operation].indexOf('payload')];
  if (typeof payload !== 'string' || payload === '' || payload.includes('***') || payload.length > MAX_MATCHED)
    return null;
  try {
    const json: Json = JSON.parse(payload);
    return { json };
  } catch {
    return { contains: payload };
  }
}

function answerOf({ response, exchange }: RecordedApiCall): MockAnswer | null {
  if (!response || !exchange) return null;
  const common = { headers: headersOf(response.responseHeaders), delayMs: 0, fault: null, template: false };
  const status = Number(response.statusCode);
  if (status >= 200) return { ...common, status, body: bodyOfAnswer(response, exchange.response?.body ?? null) };
  const fault = FAULTS[exchange.error ?? ''];
  return fault ? { ...common, status: 200, body: { kind: 'none' }, fault } : null;
}

function bodyOfAnswer(
  { responseObject, image }: NonNullable<RecordedApiCall['response']>,
  shown: string | null,
): MockBody {
  if (image !== undefined) return { kind: 'base64', base64: image };
  const text = responseObject ?? shown;
  return text === null || text === '' ? { kind: 'none' } : { kind: 'text', text };
}

function headersOf(headers: Record<string, string> = {}): HeaderPair[] {
  return Object.entries(headers)
    .filter(([name, value]) => HEADER_NAME.test(name) && !OWN_HEADERS.test(name) && !value.includes('***'))
    .map(([name, value]): HeaderPair => [name, value]);
}
