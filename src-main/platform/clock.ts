/** The source of the time; tests use their own. */
export interface Clock {
  /** ms since 1970, in UTC. */
  now(): number;
  /** The same moment as RFC 3339 text in UTC with ms. */
  iso(): string;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  iso: () => new Date().toISOString(),
};
