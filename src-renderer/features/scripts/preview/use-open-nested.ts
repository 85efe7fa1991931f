import type { NestedRun } from '#domain/run/run';
import { problemOf } from '../../../client/errors.ts';
import { useWorkbench } from '../../../frame/workbench.ts';
import { openAt } from '../open-at.ts';
import { useScripts } from '../scripts-context.ts';

/** Opens the script of a tag that ran as a nested run, at a line. */
export function useOpenNested(): (run: NestedRun, line: number | null) => Promise<void> {
  const { client, notify, show } = useWorkbench();
  const scripts = useScripts();
  return async ({ tag, access }, line) => {
    try {
      const { settings } = await client.tags.definition({ path: tag });
      const bound = settings[access === 'read' ? 'readScript' : 'writeScript'];
      const script = scripts.model.store.get().scripts.find(({ group, name }) => `${group}/${name}` === bound);
      if (script) return await openAt(scripts, script.id, line);
      notify({
        intent: 'info',
        title: 'The tag has another script now',
        body: 'The settings of the tag changed after the run.',
        action: { label: 'Show the tag', run: () => show('tags', tag) },
      });
    } catch (error) {
      notify({ intent: 'error', title: 'The script was not opened', body: problemOf(error).message });
    }
  };
}
