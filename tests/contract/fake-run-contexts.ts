import type { SavedContext } from '#domain/run/saved-context';
import type { Services } from '../../src-main/rpc/services.ts';

const USED: SavedContext = { tagName: 'A.B.C', diagram: 'Übersicht', location: '', valueMode: 'json', valueText: '[1' };

/** One context in memory. */
export function fakeRunContexts(): Pick<Services, 'runContexts'> {
  return {
    runContexts: {
      get: () => ({ current: null, used: [USED] }),
      keep: ({ context, used }) => ({ current: context, used: used ? [context, USED] : [USED] }),
      replace: ({ used }) => ({ current: null, used }),
    },
  };
}
