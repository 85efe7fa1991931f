import type { JsonObject } from '../text/json.ts';

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
