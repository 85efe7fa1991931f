import { useCallback } from 'react';
import type { Script } from '#domain/run/script';
import { useWorkbench } from '../../../frame/workbench.ts';
import { changeText } from '../model/change-text.ts';
import type { SaveOutcome } from '../model/scripts-state.ts';
import { useScripts } from '../scripts-context.ts';

/**
 * Saves the text in the editor and reports the result; `say` replaces the message if it was saved for another reason.
 */
export type Save = (key: string, say?: (script: Script) => void) => Promise<SaveOutcome>;

/** `onUnnamed` asks for the name of a new script. */
export function useSave(onUnnamed: (key: string) => void): Save {
  const { notify } = useWorkbench();
  const { model } = useScripts();
  return useCallback(
    async (key, say) => {
      const outcome = await model.save(key);
      if (outcome.kind === 'unnamed') onUnnamed(key);
      if (outcome.kind === 'refused') {
        notify({ intent: 'error', title: 'Not saved', body: outcome.problem.message });
      }
      if (outcome.kind === 'conflict') {
        notify({ intent: 'warning', title: 'Not saved', body: 'Another window saved this script first.' });
      }
      if (outcome.kind === 'saved') {
        const { script, before } = outcome;
        if (say) say(script);
        else {
          const title = `Saved “${script.name}” as version ${script.version}`;
          notify({ intent: 'success', title, body: changeText(before, script) });
        }
      }
      return outcome;
    },
    [notify, model, onUnnamed],
  );
}
