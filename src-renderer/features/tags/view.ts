import { lazy } from 'react';
import type { View } from '../../frame/view.ts';
import { TagMultipleRegular } from '../../ui/icons.ts';

const MOST_FINDINGS = 12;

export const tagsView: View = {
  id: 'tags',
  title: 'Tags',
  icon: TagMultipleRegular,
  component: lazy(async () => ({ default: (await import('./tags-view.tsx')).TagsView })),
  find: {
    heading: 'Tags',
    search: async (client, text, signal) => {
      const { tags } = await client.tags.complete({ text, limit: MOST_FINDINGS }, { signal });
      return tags.map((tag) => ({
        title: tag.path,
        detail: [tag.kind, tag.type, tag.unit].filter((part) => part !== '').join(' · '),
        what: tag.path,
      }));
    },
  },
};
