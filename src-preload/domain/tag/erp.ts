import type { JsonObject } from '../text/json.ts';

/** A record of the ERP outbox. */
export interface ErpRecord {
  /** Counts the records, never used again. */
  id: number;
  /** The path under which it was sent, whatever the tag is called now. */
  tag: string;
  record: JsonObject;
  /** The scope of the call that sent it; `''` is the internal default. */
  diagram: string;
  location: string;
  /** RFC 3339 in UTC. */
  sentAt: string;
}
