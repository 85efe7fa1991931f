import type { ApiOperation } from '#domain/mock/api-call';
import {
  type Capsule,
  nestedByCall,
  type RecordedApiCall,
  type RecordedCall,
  type RecordedGet,
  type RecordedResponse,
  type RecordedSet,
} from '#domain/run/capsule';
import { type CallSite, type FailureKind, FAILURES, MAX_SITES } from '#domain/run/failures';
import type { TagValue } from '#domain/tag/tag';
import type { Json } from '#domain/text/json';
import { failedResponse, responseOf } from '../../outbound/api-response.ts';
import { apiText, readText, writeText } from '../capsules/nearest-calls.ts';
import { refusalOf } from '../capsules/replayed-calls.ts';

/** A Get of more tags is one call site: all of its tags fail together. */
const MOST_TAGS = 20;
/** Groups of the calls at a line; more are one group, because the arguments change from call to call. */
const MOST_GROUPS = 20;
const HTML = '<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body><h1>Sign in</h1></body></html>\n';
const NO_TOKEN = '{"token_type":"Bearer","expires_in":3600}';
const DAY_MS = 86_400_000;

/** A call site with its recorded call. */
export interface RecordedSite extends CallSite {
  /** The index of its call in the capsule. */
  at: number;
  /** How many calls there are at its line. */
  ofLine: number;
  /** The tags of a Get that fail. */
  paths: readonly string[];
}

/** The call sites of a recorded run that are tried. */
interface TriedSites {
  sites: RecordedSite[];
  /** How many others there are. */
  more: number;
  /** How many groups of equal calls there are; null if the calls are not grouped. */
  groups: number | null;
}

/**
 * The call sites of a recorded run that are tried. Of more than the maximum, calls of the same line with the same arguments
 * are a group. The first, one in the middle and the last of each group are tried: every call needs a replay of the whole run.
 * @param everyCall the first ones up to the maximum instead
 */
export function sitesOf(capsule: Capsule, everyCall = false): TriedSites {
  const all = allSitesOf(capsule);
  const isGrouped = all.length > MAX_SITES && !everyCall;
  const groups = isGrouped ? groupsOf(all) : null;
  const wanted = groups ? groups.flatMap(someOf).toSorted((a, b) => a - b) : [...all.keys()];
  const sites = wanted.slice(0, MAX_SITES).flatMap((place) => all[place] ?? []);
  return { sites, more: all.length - sites.length, groups: groups && groups.length };
}

/** The places of the sites of each group. */
function groupsOf(sites: readonly RecordedSite[]): number[][] {
  const lines = Map.groupBy(sites.keys(), (place) => sites[place]?.line ?? null);
  return [...lines].flatMap(([line, places]) => {
    const equal = [...Map.groupBy(places, (place) => sites[place]?.text).values()];
    if (line === null || equal.length <= MOST_GROUPS) return equal;
    return [...Map.groupBy(places, (place) => sites[place]?.access).values()];
  });
}

const someOf = (places: readonly number[]): number[] => [
  ...new Set([0, places.length >> 1, places.length - 1].flatMap((at) => places[at] ?? [])),
];

/** All call sites of a recorded run. Calls that failed in the recorded run are none. */
export function allSitesOf({ calls }: Capsule): RecordedSite[] {
  const sites: Omit<RecordedSite, 'ofLine'>[] = [];
  const counts = new Map<number | null, number>();
  for (const [at, call] of calls.entries()) {
    const found = sitesOfCall(call);
    const { line } = call;
    const nth = (counts.get(line) ?? 0) + 1;
    counts.set(line, nth);
    sites.push(...found.map((site) => ({ call: call.call, line, nth, at, ...site })));
  }
  return sites.map((site) => ({ ...site, ofLine: counts.get(site.line) ?? site.nth }));
}

type SiteOfCall = Pick<RecordedSite, 'access' | 'name' | 'text' | 'paths'>;

function sitesOfCall(call: RecordedCall): SiteOfCall[] {
  switch (call.kind) {
    case 'get': {
      const paths = [...new Set((call.values ?? []).map(({ path }) => path))];
      const site = (name: string, some: string[], text: string) => ({
        access: 'read' as const,
        name,
        paths: some,
        text,
      });
      const [first] = paths;
      if (first === undefined || paths.length <= MOST_TAGS) {
        return paths.map((path) => site(path, [path], readText(path, call)));
      }
      return [site(first, paths, `${readText(first, call)} and ${paths.length - 1} more`)];
    }
    case 'set': {
      const [first] = call.items;
      if (!first || !call.written) return [];
      return [{ access: 'write', name: first.tag, paths: [], text: writeText(call.items, call) }];
    }
    default:
      if (!call.response) return [];
      return [{ access: 'call', name: call.operation, paths: [], text: apiText(call.operation, call.args) }];
  }
}

/** The capsule with the answer that this call gets if it fails; null if it cannot fail like this. */
export function capsuleWith(capsule: Capsule, site: RecordedSite, failure: FailureKind): Capsule | null {
  const call = capsule.calls[site.at];
  if (!call) return null;
  const failed = failedCall(capsule, call, site, failure);
  if (!failed) return null;
  const calls = capsule.calls.with(site.at, failed);
  if (call.kind !== 'set') return { ...capsule, calls };
  // The writes of its scripts are not kept either.
  const { nested = [], ...report } = capsule.report;
  return { ...capsule, calls, report: { ...report, nested: nested.filter((run) => run.call !== call.call) } };
}

/** The failures that a call can have. */
export function failuresOf(capsule: Capsule, site: RecordedSite): FailureKind[] {
  const call = capsule.calls[site.at];
  return call ? FAILURES.filter((failure) => failedCall(capsule, call, site, failure) !== null) : [];
}

function failedCall(
  capsule: Capsule,
  call: RecordedCall,
  site: RecordedSite,
  failure: FailureKind,
): RecordedCall | null {
  switch (call.kind) {
    case 'get':
      return failedGet(call, new Set(site.paths), failure);
    case 'set':
      return failedSet(capsule, call, failure);
    default:
      return failedApiCall(call, failure);
  }
}

function failedGet(call: RecordedGet, paths: ReadonlySet<string>, failure: FailureKind): RecordedGet | null {
  let isOther = false;
  const values = (call.values ?? []).map((value) => {
    const failed = paths.has(value.path) ? failedValue(value, failure) : null;
    if (!failed) return value;
    isOther = true;
    return failed;
  });
  return isOther ? { ...call, values } : null;
}

/** A value as it is read if the tag has this failure; null if it cannot have it, or had it in the recorded run. */
function failedValue(value: TagValue, failure: FailureKind): TagValue | null {
  const { path, type, changedAt } = value;
  const timed = changedAt === undefined ? {} : { changedAt };
  switch (failure) {
    case 'missing-tag':
      return value.quality === 'BadNodeIdUnknown'
        ? null
        : { path, value: null, quality: 'BadNodeIdUnknown', type: 'Unknown' };
    case 'bad-quality':
      if (value.quality.startsWith('Bad')) return null;
      return { path, value: null, quality: 'BadNotConnected', type, reason: 'the device is not connected', ...timed };
    case 'uncertain-quality':
      return value.quality.startsWith('Good') ? { ...value, quality: 'UncertainSensorNotAccurate' } : null;
    case 'wrong-type':
      return value.value === null ? null : { ...value, ...otherType(value.value) };
    case 'empty-array':
      return Array.isArray(value.value) && value.value.length > 0 ? { ...value, value: [] } : null;
    case 'stale-value':
      return value.quality.startsWith('Good')
        ? { ...value, quality: 'UncertainLastUsableValue', ...(changedAt !== undefined && dayBefore(changedAt)) }
        : null;
    default:
      return null;
  }
}

const otherType = (value: Json): Pick<TagValue, 'value' | 'type'> =>
  typeof value === 'string' ? { value: 0, type: 'Int' } : { value: 'n/a', type: 'String' };

function dayBefore(moment: string): Pick<TagValue, 'changedAt'> {
  const time = Date.parse(moment);
  return { changedAt: Number.isNaN(time) ? moment : new Date(time - DAY_MS).toISOString() };
}

function failedSet(capsule: Capsule, call: RecordedSet, failure: FailureKind): RecordedSet | null {
  const { written: _, ...begun } = call;
  const [first] = call.items;
  if (!first) return null;
  const failed = (tag: string, reason: string): RecordedSet => {
    const failures = [{ tag, reason, index: call.items.findIndex((item) => item.tag === tag) }];
    return { ...begun, error: { message: refusalOf(failures, call.items.length).message, failures } };
  };
  if (failure === 'set-rejected') return failed(first.tag, 'the device is not connected (BadNotConnected)');
  if (failure !== 'nested-set-failed') return null;
  const nested = nestedByCall(capsule.report)
    .get(call.call)
    ?.find(({ access }) => access === 'write');
  if (!nested) return null;
  const tag = nested.through[0] ?? nested.tag;
  return failed(tag, `its write script failed in line ${lastLineOf(nested)}: the device is not connected`);
}

/** The line of the last call of a script: it failed halfway. */
const lastLineOf = ({
  reads,
  writes,
}: {
  reads: { line: number | null }[];
  writes: { line: number | null }[];
}): number => [...reads, ...writes].at(-1)?.line ?? 1;

const STATUSES: Readonly<Partial<Record<FailureKind, number>>> = {
  'http-401': 401,
  'http-403': 403,
  'http-404': 404,
  'http-429': 429,
  'http-500': 500,
};

function failedApiCall(call: RecordedApiCall, failure: FailureKind): RecordedApiCall | null {
  const { operation, response, exchange } = call;
  if (!response || !exchange) return null;
  const failed = failedResponseOf(operation, response, hostOf(exchange.url), failure);
  if (!failed || isSame(failed, response)) return null;
  const { statusCode } = failed;
  const error = statusCode === '0' ? (failure === 'timeout' ? 'Timeout' : 'ConnectionRefused') : null;
  return { ...call, response: failed, exchange: { ...exchange, statusCode, error } };
}

const isSame = (one: RecordedResponse, other: RecordedResponse): boolean =>
  one.statusCode === other.statusCode &&
  one.responseObject === other.responseObject &&
  one.errorMessage === other.errorMessage &&
  one.image === other.image;

function failedResponseOf(
  operation: ApiOperation,
  { success, responseObject, image, responseHeaders }: RecordedResponse,
  host: string,
  failure: FailureKind,
): RecordedResponse | null {
  const status = STATUSES[failure];
  if (status !== undefined) {
    const received = { status, statusText: '', headers: [], body: Buffer.alloc(0) };
    return recorded(responseOf(operation, received, ''), { ...(failure === 'http-429' && { 'retry-after': '60' }) });
  }
  const headers = responseHeaders ?? {};
  const body = (text: string): RecordedResponse =>
    image === undefined
      ? recorded({ success: true, statusCode: '200', errorMessage: null, responseObject: text }, headers)
      : {
          ...recorded({ success: true, statusCode: '200', errorMessage: null, responseObject: null }, headers),
          image: Buffer.from(text).toString('base64'),
        };
  switch (failure) {
    case 'connection-refused':
      return recorded(failedResponse('ConnectionRefused', `${host} refuses connections; nothing listens there`));
    case 'timeout':
      return recorded(failedResponse('Timeout', `${host} did not respond in time`));
    case 'truncated-body':
      if (!success) return null;
      if (image !== undefined) {
        const bytes = Buffer.from(image, 'base64');
        return { ...body(''), image: bytes.subarray(0, bytes.length >> 1).toString('base64') };
      }
      return responseObject === null || responseObject.length < 2
        ? null
        : body(responseObject.slice(0, responseObject.length >> 1));
    case 'html-body':
      return { ...body(HTML), responseHeaders: { ...headers, 'content-type': 'text/html; charset=utf-8' } };
    case 'empty-body':
      return body('');
    case 'malformed-token':
      return operation === 'GetOauthToken' ? body(NO_TOKEN) : null;
    default:
      return null;
  }
}

const recorded = (
  { success, statusCode, errorMessage, responseObject }: Omit<RecordedResponse, 'responseHeaders' | 'image'>,
  responseHeaders?: Record<string, string>,
): RecordedResponse => ({
  success,
  statusCode,
  errorMessage,
  responseObject,
  ...(responseHeaders && { responseHeaders }),
});

/** The host of a URL, for messages. */
const hostOf = (url: string): string => URL.parse(url)?.host ?? 'the remote server';
