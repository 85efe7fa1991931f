import { matchesWords } from '../../frame/palette/palette-filter.ts';
import type { View } from '../../frame/view.ts';
import { preloadEditorFiles } from '../../support/editor-files.ts';
import { deferred } from '../../ui/deferred.tsx';
import { CodeRegular } from '../../ui/icons.ts';

const MOST_FINDINGS = 12;

export const scriptsView: View = {
  id: 'scripts',
  title: 'Scripts',
  icon: CodeRegular,
  help: 'scripts',
  component: deferred(async () => (await import('./scripts-view.tsx')).ScriptsView),
  preload: preloadEditorFiles,
  offers: [{ id: 'scripts.new', title: 'New script' }],
  find: {
    heading: 'Scripts',
    search: async (client, text, signal) => {
      const { scripts } = await client.scripts.list(undefined, { signal });
      return scripts
        .filter((script) => matchesWords(`${script.group} ${script.name}`, text))
        .slice(0, MOST_FINDINGS)
        .map((script) => ({ title: script.name, detail: script.group, what: String(script.id) }));
    },
  },
};
