import { matchesWords } from '../../frame/palette/palette-filter.ts';
import type { View } from '../../frame/view.ts';
import { deferred } from '../../ui/deferred.tsx';
import { CloudSwapRegular } from '../../ui/icons.ts';

const MOST_FINDINGS = 12;

export const mocksView: View = {
  id: 'mocks',
  title: 'API mocks',
  icon: CloudSwapRegular,
  help: 'mocks',
  component: deferred(async () => (await import('./mocks-view.tsx')).MocksView),
  offers: [
    { id: 'mocks.new', title: 'New mock' },
    { id: 'mocks.import', title: 'Import mocks' },
    { id: 'mocks.export', title: 'Export the mocks' },
  ],
  find: {
    heading: 'API mocks',
    search: async (client, text, signal) => {
      const { mocks } = await client.mocks.list(undefined, { signal });
      return mocks
        .filter(({ name, request }) => matchesWords(`${name}\n${request.url}`, text.trim()))
        .slice(0, MOST_FINDINGS)
        .map(({ id, name, request }) => ({
          title: name,
          detail: `${request.method} ${request.url}`,
          what: `mock:${id}`,
        }));
    },
  },
};
