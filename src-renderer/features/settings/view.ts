import type { View } from '../../frame/view.ts';
import { deferred } from '../../ui/deferred.tsx';
import { SettingsRegular } from '../../ui/icons.ts';
import { found, GROUPS } from './model/catalog.ts';

const MOST_FINDINGS = 12;

const load = () => import('./settings-view.tsx');

export const settingsView: View = {
  id: 'settings',
  title: 'Settings',
  icon: SettingsRegular,
  component: deferred(async () => (await load()).SettingsView),
  load,
  find: {
    heading: 'Settings',
    search: async (_client, text) =>
      found(GROUPS, text)
        .flatMap(({ title, fields }) => fields.map((field) => ({ title: field.title, detail: title, what: field.key })))
        .slice(0, MOST_FINDINGS),
  },
};
