import { useMemo } from 'react';
import { countsOfScript, countsText } from '#domain/tag/usage';
import { useWorkbench } from '../../../frame/workbench.ts';
import { useScripts } from '../scripts-context.ts';

/** Actions on scripts that several places offer, with their notices. */
export interface ScriptActions {
  /** Runs an action, and shows the reason if it fails. */
  attempt: (failure: string, work: () => Promise<unknown>) => Promise<boolean>;
  move: (id: number, group: string) => Promise<void>;
  /** What a delete would affect, for people; '' if nothing refers to the script. Null if it cannot be checked. */
  usesOf: (id: number) => Promise<string | null>;
  remove: (id: number, name: string) => Promise<void>;
  removeGroup: (name: string) => Promise<void>;
  discard: (key: string) => Promise<void>;
}

export function useScriptActions(): ScriptActions {
  const { client, notify } = useWorkbench();
  const { model, library } = useScripts();
  return useMemo(() => {
    const attempt = async (failure: string, work: () => Promise<unknown>) => {
      try {
        await work();
        return true;
      } catch (error) {
        notify({ intent: 'error', title: failure, error });
        return false;
      }
    };
    return {
      attempt,
      move: async (id, group) => {
        await attempt('The script was not moved', () => library.rename(id, { group }));
      },
      usesOf: async (id) => {
        let uses: string | null = null;
        await attempt('The script was not deleted', async () => {
          uses = countsText(countsOfScript(await client.scripts.usage({ id })));
        });
        return uses;
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
      discard: async (key) => {
        if (model.isOnlyElsewhere(key)) {
          const body = 'An open window has this draft. Discard it there.';
          return notify({ intent: 'info', title: 'The draft was not discarded', body });
        }
        if (!model.doc(key) && !(await attempt('The draft was not discarded', () => model.openDraft(key)))) return;
        const text = model.discard(key);
        if (text === null) return;
        notify({
          intent: 'info',
          title: 'Draft discarded',
          action: { label: 'Undo', run: () => model.restoreDiscarded(key, text) },
        });
      },
    };
  }, [client, notify, model, library]);
}
