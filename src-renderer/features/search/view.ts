import type { View } from '../../frame/view.ts';
import { deferred } from '../../ui/deferred.tsx';
import { SearchRegular } from '../../ui/icons.ts';

export const searchView: View = {
  id: 'search',
  title: 'Search',
  icon: SearchRegular,
  help: 'search',
  component: deferred(async () => (await import('./search-view.tsx')).SearchView),
  offers: [
    { id: 'search.find', title: 'Search in all scripts, tests, tags, rules and mocks', keys: 'Ctrl+Shift+F' },
    { id: 'search.replace', title: 'Replace in all scripts, tests, tags, rules and mocks', keys: 'Ctrl+Shift+H' },
  ],
};
