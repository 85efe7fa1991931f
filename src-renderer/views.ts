import { aggregationsView } from './features/aggregations/view.ts';
import { diagramsView } from './features/diagrams/view.ts';
import { eventsView } from './features/events/view.ts';
import { mocksView } from './features/mocks/view.ts';
import { searchView } from './features/search/view.ts';
import { scriptsView } from './features/scripts/view.ts';
import { settingsView } from './features/settings/view.ts';
import { tagsView } from './features/tags/view.ts';
import type { View } from './frame/view.ts';

/** The views of the workbench, in the order of the activity bar; their keys are Ctrl+1, Ctrl+2 and so on. */
export const VIEWS: readonly View[] = [
  scriptsView,
  tagsView,
  aggregationsView,
  eventsView,
  mocksView,
  diagramsView,
  settingsView,
  searchView,
];
