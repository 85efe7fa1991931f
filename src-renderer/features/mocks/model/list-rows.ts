import type { Mock, MockRoute } from '#domain/mock/mock';
import { matchesWords } from '../../../frame/palette/palette-filter.ts';
import type { MockDraft, MocksState } from './mocks-state.ts';

/** An entry of the list: a saved mock, a draft of one, or both. */
export interface MockListRow {
  key: string;
  name: string;
  method: string;
  url: string;
  mock: Mock | null;
  draft: MockDraft | null;
  /** Whether the recorder created it while this window was open. */
  recorded: boolean;
}

/** New mocks first, then saved ones in matching order; `filter` matches if the row contains every word. */
export function listRows({ mocks, drafts, recorded }: MocksState, filter: string): MockListRow[] {
  const there = new Set(mocks.map(({ id }) => `mock:${id}`));
  const fresh = [...drafts.values()]
    .filter(({ key }) => !there.has(key))
    .map((draft): MockListRow => {
      const { name, method, url } = draft.form;
      return { key: draft.key, name, method, url, mock: null, draft, recorded: false };
    });
  const saved = mocks.map((mock): MockListRow => {
    const key = `mock:${mock.id}`;
    const { method, url } = mock.request;
    const draft = drafts.get(key) ?? null;
    return { key, name: mock.name, method, url, mock, draft, recorded: recorded.has(mock.id) };
  });
  return [...fresh, ...saved].filter((row) => matchesWords(searchText(row), filter.trim()));
}

/** The response of a mock, in a few words. */
export function answerText({ answer }: Pick<MockRoute, 'answer'>): string {
  const what = answer.fault ?? `${answer.status} ${answer.body.kind === 'none' ? '' : answer.body.kind}`.trim();
  return answer.delayMs > 0 ? `${what}, ${answer.delayMs} ms` : what;
}

function searchText({ name, method, url, mock, draft, recorded }: MockListRow): string {
  const said = mock ? answerText(mock) : '';
  return [name, method, url, said, draft?.form.name, draft?.form.url, recorded ? 'recorded' : ''].join('\n');
}
