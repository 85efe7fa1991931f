import type { RestoreOutcome } from '#domain/workspace/backup';

/** What an instance was before it opened its workspace again. */
export interface Reopened {
  /** Where its events API listened: kept while the settings have it on. Taken meanwhile, the status of the API says so. */
  eventsPort: number | null;
  restored: RestoreOutcome;
}
