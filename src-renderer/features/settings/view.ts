import type { View } from '../../frame/view.ts';
import { deferred } from '../../ui/deferred.tsx';
import { SettingsRegular } from '../../ui/icons.ts';
import { found, GROUPS, isFound, SECTION_NAMES, SECTIONS } from './model/catalog.ts';

const MOST_FINDINGS = 12;

export const settingsView: View = {
  id: 'settings',
  title: 'Settings',
  icon: SettingsRegular,
  help: 'settings',
  component: deferred(async () => (await import('./settings-view.tsx')).SettingsView),
  offers: [
    { id: 'settings.backup', title: 'Back up the workspace' },
    { id: 'settings.signOut', title: 'Sign out everywhere' },
    { id: 'settings.diagnostics', title: 'Run diagnostics' },
  ],
  find: {
    heading: 'Settings',
    search: async (_client, text) => {
      const sections = SECTION_NAMES.filter((section) => isFound(section, text)).map((section) => ({
        title: SECTIONS[section].title,
        detail: SECTIONS[section].group,
        what: SECTIONS[section].title,
      }));
      const fields = found(GROUPS, text).flatMap((group) =>
        group.fields.map(({ title, key }) => ({ title, detail: group.title, what: key })),
      );
      return [...sections, ...fields].slice(0, MOST_FINDINGS);
    },
  },
};
