import type { View } from '../../frame/view.ts';
import { deferred } from '../../ui/deferred.tsx';
import { FlashRegular } from '../../ui/icons.ts';

export const eventsView: View = {
  id: 'events',
  title: 'Events',
  icon: FlashRegular,
  help: 'events',
  component: deferred(async () => (await import('./events-view.tsx')).EventsView),
  offers: [{ id: 'events.makeTest', title: 'Create test events' }],
};
