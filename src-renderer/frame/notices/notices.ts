import type { Store } from '../../support/store.ts';
import type { Notice } from '../workbench.ts';

/** A displayed notice with its time. */
export interface KeptNotice extends Notice {
  id: string;
  at: Date;
}

/** The notices of this window since it was opened, newest first. */
export type Notices = Store<readonly KeptNotice[]>;

const MOST = 100;

/** Adds a notice; the oldest are dropped over the limit. */
export function keepNotice(notices: Notices, notice: KeptNotice): void {
  notices.update((kept) => [notice, ...kept].slice(0, MOST));
}
