import type { Store } from '../../support/store.ts';
import { problemOf } from '../../client/errors.ts';
import { helpForCode } from '../help/error-help.ts';
import { HELP } from '../help/places.ts';
import { focusedHelp } from '../help/use-help.ts';
import type { Notice } from '../workbench.ts';

/** A displayed notice with its time. */
export interface KeptNotice extends Omit<Notice, 'error'> {
  id: string;
  at: Date;
  /** Where the manual explains an error. */
  help: string | null;
}

/** A notice as it is displayed, at this moment. */
export function keptNotice({ error, ...notice }: Notice, id: string): KeptNotice {
  const problem = error === undefined ? null : problemOf(error);
  const page = problem && helpForCode(problem.code);
  return {
    ...notice,
    ...(problem && { body: problem.message }),
    id,
    at: new Date(),
    help: notice.intent !== 'error' ? null : page ? HELP[page] : focusedHelp(),
  };
}

/** The notices of this window since it was opened, newest first. */
export type Notices = Store<readonly KeptNotice[]>;

const MOST = 100;

/** Adds a notice; the oldest are dropped over the limit. */
export function keepNotice(notices: Notices, notice: KeptNotice): void {
  notices.update((kept) => [notice, ...kept].slice(0, MOST));
}
