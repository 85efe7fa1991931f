import { matchesWords } from '../../frame/palette/palette-filter.ts';
import type { View } from '../../frame/view.ts';
import { deferred } from '../../ui/deferred.tsx';
import { DataHistogramRegular } from '../../ui/icons.ts';

const MOST_FINDINGS = 12;

export const aggregationsView: View = {
  id: 'aggregations',
  title: 'Aggregations',
  icon: DataHistogramRegular,
  help: 'aggregations',
  component: deferred(async () => (await import('./aggregations-view.tsx')).AggregationsView),
  offers: [{ id: 'rules.new', title: 'New rule' }],
  find: {
    heading: 'Rules',
    search: async (client, text, signal) => {
      const rules = await client.rules.list(undefined, { signal });
      return rules
        .filter(({ name }) => matchesWords(name, text.trim()))
        .slice(0, MOST_FINDINGS)
        .map(({ id, name, description, enabled }) => ({
          title: name,
          detail: [enabled ? 'rule' : 'rule, disabled', description].filter((part) => part !== '').join(' · '),
          what: String(id),
        }));
    },
  },
};
