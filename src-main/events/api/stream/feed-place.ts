import type { FeedPosition } from '#domain/event/event-change';

const PLACE = /^(0|[1-9]\d{0,15})(?:\.(0|[1-9]\d{0,15}))?$/;

/** A position as the id of an event stream: `17`, or `17.4` while the first list is sent. */
export const placeText = ({ seq, listed }: FeedPosition): string => (listed === null ? `${seq}` : `${seq}.${listed}`);

/** Null if it is not such an id. */
export function parsePlace(text: string): FeedPosition | null {
  const [, seq, listed] = PLACE.exec(text) ?? [];
  return seq === undefined ? null : { seq: Number(seq), listed: listed === undefined ? null : Number(listed) };
}
