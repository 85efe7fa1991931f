import type { Mock, MockBodyMatch, MockRoute, SequenceEnd } from '#domain/mock/mock';
import { answersOf } from '#domain/mock/mock';
import { problemOfFolder, tidyFolder } from '#domain/mock/mock-folder';
import { sentence } from '../../../client/issues.ts';
import {
  type AnswerForm,
  FormIssues,
  type HeaderLine,
  NEW_ANSWER,
  answerFormOf,
  answerPart,
  fieldOfAnswer,
  linesOf,
  pairOf,
  pretty,
  readAnswer,
  writtenHeaders,
} from './answer-form.ts';

/** A mock in the form: numbers and JSON are text, even invalid text. Its own response is the first one. */
export interface MockForm extends AnswerForm {
  name: string;
  /** As typed; empty for none. Drafts of earlier versions do not have it. */
  folder?: string;
  enabled: boolean;
  priority: string;
  method: MockRoute['request']['method'];
  url: string;
  headers: readonly HeaderLine[];
  match: 'any' | 'contains' | 'json';
  matchText: string;
  matchJson: string;
  /** The responses after the first one. Drafts of earlier versions do not have it. */
  more?: readonly AnswerForm[];
  /** What follows the last response. */
  end?: SequenceEnd;
}

/** The parsed form. */
export interface ReadMock {
  /** If `issues` is not empty, invalid values have a substitute, so that the rest can be checked. */
  route: MockRoute;
  /** Values that can't be parsed, by field. */
  issues: ReadonlyMap<string, string>;
  /** The keys of the header lines, in order. */
  headerKeys: readonly number[];
  /** Keys of the headers of each response. */
  answerHeaderKeys: readonly (readonly number[])[];
}

const EMPTY: MockForm = {
  ...NEW_ANSWER,
  name: '',
  folder: '',
  enabled: true,
  priority: '0',
  method: 'GET',
  url: '',
  headers: [],
  match: 'any',
  matchText: '',
  matchJson: '{}',
  more: [],
  end: 'repeat',
};

/** The form of a new mock, in a folder. */
export const newForm = (folder = ''): MockForm => ({ ...EMPTY, folder });

/** The form of an existing mock. */
export function formOf(mock: MockRoute): MockForm {
  const { name, folder = '', enabled, priority, request, sequence } = mock;
  const { method, url, headers, body: match } = request;
  const [first = NEW_ANSWER, ...more] = answersOf(mock).map(answerFormOf);
  return {
    ...EMPTY,
    ...first,
    name,
    folder,
    enabled,
    priority: String(priority),
    method,
    url,
    headers: linesOf(headers),
    ...(match !== null && 'contains' in match && { match: 'contains', matchText: match.contains }),
    ...(match !== null && 'json' in match && { match: 'json', matchJson: pretty(match.json) }),
    more,
    end: sequence?.end ?? 'repeat',
  };
}

/** All responses of a form, in order. */
export const answersIn = (form: MockForm): AnswerForm[] => [answerPart(form), ...(form.more ?? [])];

/** The part of a form with these responses. */
export function withAnswers([first = NEW_ANSWER, ...more]: readonly AnswerForm[]): Partial<MockForm> {
  return { ...first, more };
}

/** The mock of a form, and the values that can't be parsed. Headers without name and value are skipped. */
export function readForm(form: MockForm): ReadMock {
  const issues = new FormIssues();
  const match = (): MockBodyMatch | null => {
    if (form.match === 'any') return null;
    if (form.match === 'contains') return { contains: form.matchText };
    return { json: issues.json('request.body', form.matchJson) };
  };
  const name = form.name.trim();
  if (name === '') issues.set('name', 'Enter a name for the mock.');
  const folder = tidyFolder(form.folder ?? '');
  const problem = folder === '' ? null : problemOfFolder(folder);
  if (problem !== null) issues.set('folder', sentence(problem));
  const headers = writtenHeaders(form.headers);
  const all = answersIn(form);
  const priority = issues.whole('priority', form.priority, 0);
  const request = { method: form.method, url: form.url.trim(), headers: headers.map(pairOf), body: match() };
  const answer = readAnswer(form, 'answer', issues);
  const others = all.slice(1).map((one, index) => readAnswer(one, fieldOfAnswer(index + 1), issues));
  const route: MockRoute = {
    // A substitute, so that main checks the rest.
    name: name === '' ? 'New mock' : name,
    ...(folder !== '' && problem === null && { folder }),
    enabled: form.enabled,
    priority,
    request,
    answer,
    ...(others.length > 0 && { sequence: { answers: others, end: form.end ?? 'repeat' } }),
  };
  const keys = (lines: readonly HeaderLine[]) => lines.map(({ key }) => key);
  const answerHeaderKeys = all.map(({ answerHeaders }) => keys(writtenHeaders(answerHeaders)));
  return { route, issues: new Map(issues), headerKeys: keys(headers), answerHeaderKeys };
}

/** Whether a form equals the saved mock; values of unselected choices are ignored. */
export function equalsSaved(form: MockForm, mock: Mock): boolean {
  const { route, issues } = readForm(form);
  return issues.size === 0 && JSON.stringify(route) === JSON.stringify(readForm(formOf(mock)).route);
}
