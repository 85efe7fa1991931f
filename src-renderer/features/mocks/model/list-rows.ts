import type { Mock, MockAnswer } from '#domain/mock/mock';
import { answersOf, nextAnswer } from '#domain/mock/mock';
import { tidyFolder } from '#domain/mock/mock-folder';
import { matchesWords } from '../../../frame/palette/palette-filter.ts';
import type { MockDraft, MocksState } from './mocks-state.ts';

/** An entry of the list: a saved mock, a draft of one, or both. */
export interface MockListRow {
  key: string;
  name: string;
  /** `''` for none. */
  folder: string;
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
      const { name, folder = '', method, url } = draft.form;
      return { key: draft.key, name, folder: tidyFolder(folder), method, url, mock: null, draft, recorded: false };
    });
  const saved = mocks.map((mock): MockListRow => {
    const key = `mock:${mock.id}`;
    const { method, url } = mock.request;
    const draft = drafts.get(key) ?? null;
    return {
      key,
      name: mock.name,
      folder: mock.folder ?? '',
      method,
      url,
      mock,
      draft,
      recorded: recorded.has(mock.id),
    };
  });
  return [...fresh, ...saved].filter((row) => matchesWords(searchText(row), filter.trim()));
}

/** The response to the next call, in a few words; in a sequence with its place. */
export function answerText(mock: Mock): string {
  const answers = answersOf(mock);
  const next = nextAnswer(mock, mock.position);
  const text = oneAnswer(answers[next] ?? mock.answer);
  return answers.length === 1 ? text : `${next + 1}/${answers.length}: ${text}`;
}

/** All responses, in order. */
export function answersHint(mock: Mock): string {
  const answers = answersOf(mock);
  if (answers.length === 1) return answerText(mock);
  const lines = answers.slice(0, 20).map((answer, index) => `${index + 1}: ${oneAnswer(answer)}`);
  const last = mock.sequence?.end === 'restart' ? 'then it starts again' : 'the last one repeats';
  const next = `Next call: response ${nextAnswer(mock, mock.position) + 1} of ${answers.length}; ${last}`;
  return [next, ...lines, ...(answers.length > 20 ? ['…'] : [])].join('\n');
}

function oneAnswer({ fault, status, body, delayMs }: MockAnswer): string {
  const what = fault ?? `${status} ${body.kind === 'none' ? '' : body.kind}`.trim();
  return delayMs > 0 ? `${what}, ${delayMs} ms` : what;
}

function searchText({ name, folder, method, url, mock, draft, recorded }: MockListRow): string {
  const response = mock ? answerText(mock) : '';
  return [name, folder, method, url, response, draft?.form.name, draft?.form.url, recorded ? 'recorded' : ''].join(
    '\n',
  );
}
