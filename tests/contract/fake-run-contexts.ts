import type { NamedContext, SavedContext } from '#domain/run/saved-context';
import type { Services } from '../../src-main/rpc/services.ts';

const USED: SavedContext = { tagName: 'A.B.C', diagram: 'Übersicht', location: '', valueMode: 'json', valueText: '[1' };

const NAMED: NamedContext = { ...USED, name: 'Übersicht', tagName: 'A.B.D' };
const KEPT = { current: null, chosen: NAMED.name, named: [NAMED], used: [USED] };

/** Two contexts in memory. */
export function fakeRunContexts(): Pick<Services, 'runContexts'> {
  return {
    runContexts: {
      get: () => KEPT,
      keep: ({ context, used }) => ({ ...KEPT, current: context, used: used ? [context, USED] : [USED] }),
      replace: ({ used, named = [] }) => ({ ...KEPT, named, used }),
      save: ({ context }) => ({ ...KEPT, chosen: context.name, named: [NAMED, context] }),
      delete: () => ({ ...KEPT, chosen: null, named: [] }),
    },
  };
}
