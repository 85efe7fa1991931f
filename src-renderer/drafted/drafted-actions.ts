import { problemOf } from '../client/errors.ts';
import type { Workbench } from '../frame/workbench.ts';

/** What of a list of drafts is needed to discard one. */
interface Discards<Draft extends { id: number | null }> {
  readonly noun: string;
  discard(key: string): Draft | null;
  bringBack(draft: Draft): void;
}

/** What is done to drafted things from several places, with what is said about it. */
export interface DraftedActions {
  /** Does a work; when it fails, says so under this title. */
  attempt: (failure: string, work: () => Promise<void>) => Promise<void>;
  /** Forgets a draft, and offers to bring it back. */
  discard: (key: string) => void;
}

export function draftedActions<Draft extends { id: number | null }>(
  model: Discards<Draft>,
  notify: Workbench['notify'],
): DraftedActions {
  return {
    attempt: async (failure, work) => {
      try {
        await work();
      } catch (error) {
        notify({ intent: 'error', title: failure, body: problemOf(error).message });
      }
    },
    discard: (key) => {
      const draft = model.discard(key);
      if (!draft) return;
      notify({
        intent: 'info',
        title: draft.id === null ? `New ${model.noun} discarded` : 'Changes discarded',
        action: { label: 'Undo', run: () => model.bringBack(draft) },
      });
    },
  };
}
