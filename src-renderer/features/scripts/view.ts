import { lazy } from 'react';
import { matchesWords } from '../../frame/palette-filter.ts';
import type { View } from '../../frame/view.ts';
import { CodeRegular } from '../../ui/icons.ts';

const MOST_FINDINGS = 12;

export const scriptsView: View = {
  id: 'scripts',
  title: 'Scripts',
  icon: CodeRegular,
  component: lazy(async () => ({ default: (await import('./scripts-view.tsx')).ScriptsView })),
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
