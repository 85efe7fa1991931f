/** The name of a site at a hub: it is part of URLs. */
export const SITE_NAME = /^[a-z0-9]([a-z0-9-]{0,46}[a-z0-9])?$/;

/** off: no hub is set. waiting: it is not connected, and retries. stopped: a person must decide first. */
export const HUB_STATES = ['off', 'waiting', 'connected', 'stopped'] as const;

/** The mirror of this workspace at a hub. */
export interface HubStatus {
  state: (typeof HUB_STATES)[number];
  /** The name of this site; '' if none is set. */
  site: string;
  /** The address of the hub without its password; '' if none is set. */
  url: string;
  /** The number in the change feed up to which the hub has the changes; null before the first step. */
  seq: number | null;
  /** While the hub gets its first list: it has the events up to this id. Null otherwise. */
  listed: number | null;
  /** Changes in the feed that the hub does not have; null if that is not known. */
  waiting: number | null;
  /** When the hub last had everything, RFC 3339 in UTC; null if it was not since the start. */
  mirroredAt: string | null;
  /** Changes of gateways that were applied since the start. */
  applied: number;
  /** The problem and its remedy; null if there is none. */
  problem: string | null;
}
