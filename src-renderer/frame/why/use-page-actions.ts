import { useMemo } from 'react';
import { useCopy } from '../use-copy.ts';
import { useWorkbench } from '../workbench.ts';
import { subjectAttributes, whyEntry } from './why-button.tsx';
import type { WhySubject } from './use-why.ts';

/** The menu of the parts of a Diagram in the workbench: *Why?* in the scope of the page, the tag, and its path. */
export function usePageActions(diagram: string, location: string) {
  const { explain, show } = useWorkbench();
  const copy = useCopy();
  return useMemo(() => {
    const subjectOf = (tag: string, at: number | null): WhySubject => ({
      thing: `tag:${tag}`,
      ...(at !== null && { at: new Date(at).toISOString() }),
      scope: { diagram, location },
    });
    return {
      entriesOf: (tag: string, at: number | null, one: boolean) => {
        const why = whyEntry(subjectOf(tag, at), explain, one ? undefined : tag);
        if (!one) return [{ ...why, apart: false }];
        return [
          { title: 'Show the tag', run: () => show('tags', tag) },
          { title: 'Show the tag in all scopes', run: () => show('scripts', `lens:tag:${tag}`) },
          { title: 'Copy the path', run: () => void copy(tag, 'Path copied') },
          why,
          { title: 'Show the Diagram in all scopes', run: () => show('scripts', `lens:diagram:${diagram}`) },
        ];
      },
      attributesOf: (tag: string, at: number | null) => subjectAttributes(subjectOf(tag, at)),
    };
  }, [explain, show, copy, diagram, location]);
}
