import { MAX_OPENED_BYTES } from '#domain/run/capsule';
import { useWorkbench } from '../../../frame/workbench.ts';
import { droppedFiles, pickFile, textOf } from '../../../support/files.ts';
import { gzipText } from '../../../support/gzip.ts';
import { remember } from '../../../support/local-storage.ts';
import { openAt } from '../open-at.ts';
import { useScripts } from '../scripts-context.ts';

/** Opens capsules from files, each with the script that it names; another text becomes a script that is not saved. */
export function useOpenCapsule(): { pick: () => void; drop: (transfer: DataTransfer) => void } {
  const { client, commands, notify } = useWorkbench();
  const scripts = useScripts();
  const { model, capsules, debug } = scripts;

  const show = async (file: File) => {
    if (file.size > MAX_OPENED_BYTES) {
      const [size, most] = [file.size, MAX_OPENED_BYTES].map((bytes) => bytes.toLocaleString('en'));
      throw new Error(`It has ${size} bytes, and a window opens at most ${most}. Use “tagwright replay”.`);
    }
    const { name, text } = await textOf(file);
    const capsule = await client.capsules.open({ gzip: await gzipText(text) });
    const { scripts: saved, groups, active } = model.store.get();
    const known = saved.find((one) => `${one.group}/${one.name}` === capsule.script.name);
    if (known) await openAt(scripts, known.id, null);
    else if (active === null || model.doc(active)?.text.body !== capsule.body) {
      const key = model.create(groups[0] ?? '');
      const created = model.doc(key);
      if (created) model.replace(key, { ...created.text, body: capsule.body });
    }
    const { active: shown } = model.store.get();
    const editor = shown === null ? undefined : model.doc(shown)?.editor;
    if (editor === undefined) return;
    capsules.show(editor, capsule, { file: name });
    remember('preview.pane', 'replay');
    debug.pane.set('preview');
    // A preview that is shown already changes its tab.
    setTimeout(() => void commands.run('run.replay'), 0);
  };
  const open = (file: Promise<File | null | undefined>) => {
    file
      .then((chosen) => chosen && show(chosen))
      .catch((error: unknown) => notify({ intent: 'error', title: 'The capsule was not opened', error }));
  };
  return {
    pick: () => open(pickFile('.json')),
    drop: (transfer) =>
      open(
        droppedFiles(transfer, 2).then((files) => {
          if (files.length > 1) throw new Error('You dropped several files. Drop one capsule.');
          return files[0]?.file;
        }),
      ),
  };
}
