import type { ScriptText, ScriptVersion } from '#domain/run/script';
import { useWorkbench } from '../../../frame/workbench.ts';
import type { Save } from '../editor/use-save.ts';
import { isDirty, keyOfScript } from '../model/script-document.ts';
import { useScripts } from '../scripts-context.ts';

/**
 * Saves the text and the description of an earlier version as the newest one; group and name stay. Undo in the notice
 * saves the former version once more, and restores the unsaved text in the editor.
 */
export function useRestore(save: Save): (key: string, version: ScriptVersion) => Promise<void> {
  const { notify } = useWorkbench();
  const { model } = useScripts();

  const undo = async (id: number, text: ScriptText, dirty: boolean) => {
    await model.open(id);
    model.replace(keyOfScript(id), text);
    if (!dirty) await save(keyOfScript(id));
  };
  return async (key, { version, body, description }) => {
    const doc = model.doc(key);
    if (!doc) return;
    const { text } = doc;
    const dirty = isDirty(doc);
    model.replace(key, { ...text, body, description });
    await save(key, (script) =>
      notify({
        intent: 'success',
        title: `Version ${version} was restored as version ${script.version}`,
        ...(dirty && { body: 'Undo restores unsaved changes.' }),
        action: { label: 'Undo', run: () => undo(script.id, text, dirty) },
      }),
    );
  };
}
