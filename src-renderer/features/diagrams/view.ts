import type { View } from '../../frame/view.ts';
import { deferred } from '../../ui/deferred.tsx';
import { DiagramRegular } from '../../ui/icons.ts';

const MOST_FINDINGS = 12;

export const diagramsView: View = {
  id: 'diagrams',
  title: 'Diagrams',
  icon: DiagramRegular,
  help: 'diagrams',
  component: deferred(async () => (await import('./diagrams-view.tsx')).DiagramsView),
  offers: [{ id: 'diagrams.new', title: 'New Diagram' }],
  find: {
    heading: 'Diagrams',
    search: async (client, text, signal) => {
      const words = text.toLowerCase().split(/\s+/);
      const all = await client.diagrams.list(undefined, { signal });
      return all
        .filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)))
        .slice(0, MOST_FINDINGS)
        .map(({ name, parts }) => ({ title: name, detail: `${parts} parts`, what: name }));
    },
  },
};
