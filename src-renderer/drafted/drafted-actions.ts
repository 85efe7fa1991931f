import type { Workbench } from '../frame/workbench.ts';

/** The part of a list of drafts that discarding one needs. */
interface Discards<Draft extends { id: number | null }> {
  readonly noun: string;
  discard(key: string): Draft | null;
  restoreDraft(draft: Draft): void;
}

/** Actions on drafts that several places offer, with their notices. */
export interface DraftedActions {
  /** Runs an action; if it fails, shows the error with this title. */
  attempt: (failure: string, work: () => Promise<void>) => Promise<void>;
  /** Discards a draft, and offers to restore it. */
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
        notify({ intent: 'error', title: failure, error });
      }
    },
    discard: (key) => {
      const draft = model.discard(key);
      if (!draft) return;
      notify({
        intent: 'info',
        title: draft.id === null ? `New ${model.noun} discarded` : 'Changes discarded',
        action: { label: 'Undo', run: () => model.restoreDraft(draft) },
      });
    },
  };
}
