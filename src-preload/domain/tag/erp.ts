import { isJsonObject, type Json, type JsonObject } from '../text/json.ts';
import { describeValue } from './convert.ts';

/** A record of the ERP outbox. */
export interface ErpRecord {
  /** Counts the records, never reused. */
  id: number;
  /** Its original path, even if the tag was renamed. */
  tag: string;
  record: JsonObject;
  /** The scope of the call that sent it; `''` is the internal default. */
  diagram: string;
  location: string;
  /** RFC 3339 in UTC. */
  sentAt: string;
}

/** The value that is written to an ERP tag as a record, or why it is not one. */
export function recordOf(value: Json): JsonObject | string {
  if (Array.isArray(value)) {
    return `an ERP tag takes one record (an object), not ${describeValue(value)}: write one item per record`;
  }
  return isJsonObject(value) ? value : `an ERP tag takes one record (an object), not ${describeValue(value)}`;
}
