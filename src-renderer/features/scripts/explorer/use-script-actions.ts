import { useMemo } from 'react';
import { problemOf } from '../../../client/errors.ts';
import { useWorkbench } from '../../../frame/workbench.ts';
import { useScripts } from '../scripts-context.ts';

/** Actions on scripts that several places offer, with their notices. */
export interface ScriptActions {
  /** Runs an action, and shows the reason if it fails. */
  attempt: (failure: string, work: () => Promise<unknown>) => Promise<boolean>;
  move: (id: number, group: string) => Promise<void>;
  remove: (id: number, name: string) => Promise<void>;
  removeGroup: (name: string) => Promise<void>;
  discard: (key: string) => void;
}

export function useScriptActions(): ScriptActions {
  const { notify } = useWorkbench();
  const { model, library } = useScripts();
  return useMemo(() => {
    const attempt = async (failure: string, work: () => Promise<unknown>) => {
      try {
        await work();
        return true;
      } catch (error) {
        notify({ intent: 'error', title: failure, body: problemOf(error).message });
        return false;
      }
    };
    return {
      attempt,
      move: async (id, group) => {
        await attempt('The script was not moved', () => library.rename(id, { group }));
      },
      remove: async (id, name) => {
        if (!(await attempt('The script was not deleted', () => library.delete(id)))) return;
        notify({
          intent: 'info',
          title: `Deleted “${name}”`,
          action: {
            label: 'Undo',
            run: async () => {
              await attempt('The script was not restored', () => library.restore(id));
            },
          },
        });
      },
      removeGroup: async (name) => {
        if (!(await attempt('The group was not deleted', () => library.deleteGroup(name)))) return;
        notify({
          intent: 'info',
          title: `Deleted the group “${name}”`,
          action: {
            label: 'Undo',
            run: async () => {
              await attempt('The group was not restored', () => library.createGroup(name));
            },
          },
        });
      },
      discard: (key) => {
        if (!model.doc(key)) model.openDraft(key);
        const text = model.discard(key);
        if (text === null) return;
        notify({
          intent: 'info',
          title: 'Draft discarded',
          action: { label: 'Undo', run: () => model.bringBack(key, text) },
        });
      },
    };
  }, [notify, model, library]);
}
