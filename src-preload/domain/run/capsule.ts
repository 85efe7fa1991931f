import type { ApiArgument, ApiExchange, ApiOperation } from '../mock/api-call.ts';
import type { TagKind, TagValue, TagWrite, WriteFailure } from '../tag/tag.ts';
import type { Json } from '../text/json.ts';
import type { ClockReadings } from './clock-readings.ts';
import type { NestedRun, RunContext, RunLimits, RunReport } from './run.ts';

export const CAPSULE_FORMAT = 'tagwright-capsule';
export const CAPSULE_VERSION = 1;
/** The maximum size of a capsule in bytes. */
export const MAX_CAPSULE_BYTES = 64 * 1_048_576;
/** The maximum size in bytes of a capsule that a window opens. */
export const MAX_OPENED_BYTES = 8 * 1_048_576;
/** The maximum number of characters of all answers that a run may get while it is recorded. */
export const MAX_RECORDED_TEXT = 32 * 1_048_576;
/** The maximum number of places that a capsule lists as masked; the rest are counted. */
export const MAX_MASKED_PLACES = 1_000;

/** An error that the script got from a call. */
export interface CallFailure {
  message: string;
  /** The rejected items of a Set. */
  failures?: WriteFailure[];
}

interface RecordedPlace {
  /** The number of the call in the report, from 1. */
  call: number;
  /** The line of the call in the body; null if unknown. */
  line: number | null;
  /** How often the script had read the clock before. */
  clock: number;
}

/** A Get. Either its values in the order of the paths, or why it failed; neither if the run ended during the call. */
export interface RecordedGet extends RecordedPlace {
  kind: 'get';
  diagram: string;
  location: string;
  /** Only if there are no values, which have their paths. */
  paths?: string[];
  values?: TagValue[];
  error?: CallFailure;
}

/** A value as written, and the one before; `before` is absent if it was not read. */
export interface RecordedWrite extends TagValue {
  before?: Json;
}

/** A Set. Either the values as written in the order of the items, or why all were rejected, or neither. */
export interface RecordedSet extends RecordedPlace {
  kind: 'set';
  diagram: string;
  location: string;
  items: TagWrite[];
  written?: RecordedWrite[];
  error?: CallFailure;
}

/** The response of an API call as the script sees it, masked. */
export interface RecordedResponse {
  success: boolean;
  statusCode: string;
  errorMessage: string | null;
  responseObject: string | null;
  responseHeaders?: Record<string, string>;
  /** The bytes of an image as Base64. */
  image?: string;
}

/** An API call with its masked arguments. Without a response, the run ended during the call. */
export interface RecordedApiCall extends RecordedPlace {
  kind: 'api';
  operation: ApiOperation;
  args: ApiArgument[];
  response?: RecordedResponse;
  exchange?: ApiExchange;
}

export type RecordedCall = RecordedGet | RecordedSet | RecordedApiCall;

/** A tag that the run read or wrote. */
export interface RecordedTag {
  path: string;
  kind: TagKind;
  type: TagValue['type'];
}

/** The highest limits of the time of a run, ms. */
export const MAX_SCRIPT_MS = 3_600_000;
export const MAX_TOTAL_MS = 86_400_000;

/** The limits of a run that a replay repeats. */
export interface RecordedLimits extends Omit<RunLimits, 'bodyBytes'> {
  /** The maximum processor time of its host, ms, and the maximum number of its calls. Only after a failure was tried. */
  processorMs?: number;
  calls?: number;
}

/** Everything that a run saw and did. */
export interface Capsule {
  format: typeof CAPSULE_FORMAT;
  version: typeof CAPSULE_VERSION;
  /** `sha256:` and the hash of the canonical JSON of all other members, in hexadecimal. */
  hash: string;
  /** The version of Tagwright that recorded the run. */
  product: string;
  script: {
    /** `Group/Name` and the version of a saved script; null for other texts. */
    name: string | null;
    version: number | null;
    /** The body by lines; each but the last one was followed by a line feed. */
    body: string[];
  };
  context: RunContext;
  limits: RecordedLimits;
  environment: {
    /** An IANA name. */
    timeZone: string;
    /** A BCP 47 tag. */
    locale: string;
    clock: ClockReadings;
    /** All random numbers follow from it: 32 bytes in hexadecimal. */
    seed: string;
  };
  /** Places where secrets were masked, such as `calls[3].response`. */
  masked: { places: string[]; more: number };
  tags: RecordedTag[];
  /** All calls, in order. The nested runs that they caused are in the report. */
  calls: RecordedCall[];
  report: RunReport;
}

export const bodyOf = ({ script }: Pick<Capsule, 'script'>): string => script.body.join('\n');

/** The nested runs of a report, by the call that caused them. */
export function nestedByCall({ nested = [] }: Pick<RunReport, 'nested'>): Map<number, NestedRun[]> {
  return Map.groupBy(nested, ({ call }) => call);
}
