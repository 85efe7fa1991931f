import { createElement } from 'react';
import type { View } from '../../frame/view.ts';
import { deferred } from '../../ui/deferred.tsx';
import { TagMultipleRegular } from '../../ui/icons.ts';
import { KindIcon } from '../../ui/text/tag-kind.tsx';

const MOST_FINDINGS = 12;

export const tagsView: View = {
  id: 'tags',
  title: 'Tags',
  icon: TagMultipleRegular,
  help: 'tags',
  component: deferred(async () => (await import('./tags-view.tsx')).TagsView),
  offers: [
    { id: 'tags.new', title: 'New tag' },
    { id: 'tags.problems', title: 'Problems of tags', keys: 'Ctrl+Shift+M' },
    { id: 'tags.import', title: 'Import tags' },
    { id: 'tags.export.csv', title: 'Export the tags as CSV' },
    { id: 'tags.export.json', title: 'Export the tags as JSON' },
  ],
  find: {
    heading: 'Tags',
    search: async (client, text, signal) => {
      const { tags } = await client.tags.complete({ text, limit: MOST_FINDINGS }, { signal });
      return tags.map((tag) => ({
        icon: createElement(KindIcon, { kind: tag.kind }),
        title: tag.path,
        detail: [tag.kind, tag.type, tag.unit].filter((part) => part !== '').join(' · '),
        what: tag.path,
      }));
    },
  },
};
