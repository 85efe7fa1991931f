import type { RestoreOutcome } from '#domain/workspace/backup';

/** The state of an instance before it reopened its workspace. */
export interface Reopened {
  /**
   * The address of its events API: kept while the settings have it on. If another process has taken it, the status of
   * the API reports that.
   */
  eventsPort: number | null;
  restored: RestoreOutcome;
}
