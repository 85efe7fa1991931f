import { openPane } from '../../../frame/panes.ts';
import { useWorkbench } from '../../../frame/workbench.ts';
import type { RunOutcome } from '../model/runs.ts';
import { outcomeText } from './outcome-head.tsx';

/** Returns a function that says how a run ended while the preview is collapsed. */
export function useHiddenOutcome(): (script: string, outcome: RunOutcome | undefined) => void {
  const { notify } = useWorkbench();
  return (script, outcome) => {
    const isSeen = document.querySelector('[data-pane="preview"]')?.checkVisibility() === true;
    if (isSeen || !outcome) return;
    const { text, reason } = outcomeText(outcome);
    const name = script === '' ? 'The script' : `“${script}”`;
    notify({
      intent: reason === null ? 'success' : 'error',
      title: `${name}: ${text}`,
      ...(reason !== null && { body: reason }),
      action: { label: 'Show the preview', run: () => void openPane('preview') },
    });
  };
}
