import type { Services } from '../../src-main/rpc/services.ts';

/** Every text is found once, in one script. */
export const fakeSearch: Services['search'] = {
  async *find({ query: { text } }, signal) {
    const match = { start: 0, end: text.length, line: 1, column: 1, before: '', text, after: ';' };
    const texts = [{ field: 'body', hash: 'h', matches: [{ ...match, groups: { numbered: ['a', null] } }] }];
    yield {
      searched: 1,
      total: 2,
      items: [{ kind: 'scripts', key: '1', name: 'Line/Fill', scriptId: 1, readOnly: null, texts }],
      end: null,
    };
    if (signal.aborted) return;
    yield { searched: 2, total: 2, items: [], end: { items: 1, matches: 1, more: 0, capped: false } };
  },
  replace: ({ items, dryRun }) => ({
    items: items.length,
    matches: items.length,
    refused: [{ kind: 'mocks', key: '1', name: 'Order', why: 'invalid', reason: 'JSON' }],
    drafts: [{ key: 'new-1@w', before: 'a', after: 'b' }],
    undo: dryRun ? null : 'u1',
  }),
  symbols: ({ text }) => ({
    symbols: [
      {
        name: text,
        kind: 'function',
        container: null,
        start: 0,
        end: 1,
        line: 1,
        column: 1,
        script: '1',
        scriptName: 'Line/Fill',
      },
    ],
  }),
  references: () => ({ items: [], end: { items: 0, matches: 0, more: 0, capped: false } }),
  undo: () => ({ items: 1, refused: [] }),
};
