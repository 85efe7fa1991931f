import type { HeaderPair } from '#domain/mock/api-call';
import { isBase64 } from '#domain/text/base64';
import type { Json } from '#domain/text/json';
import type { Mock, MockBody, MockBodyMatch, MockFault, MockRoute } from '#domain/mock/mock';
import { typedWhole } from '../../../support/typed-number.ts';

/** A header line in the form; its key stays the same while others are added and removed. */
export interface HeaderLine {
  key: number;
  name: string;
  value: string;
}

/** A mock in the form: numbers and JSON are text, even invalid text. */
export interface MockForm {
  name: string;
  enabled: boolean;
  priority: string;
  method: MockRoute['request']['method'];
  url: string;
  headers: readonly HeaderLine[];
  match: 'any' | 'contains' | 'json';
  matchText: string;
  matchJson: string;
  status: string;
  answerHeaders: readonly HeaderLine[];
  body: MockBody['kind'];
  json: string;
  text: string;
  base64: string;
  file: string;
  delay: string;
  fault: MockFault | '';
  template: boolean;
}

/** The parsed form. */
export interface ReadMock {
  /** If `issues` is not empty, invalid values have a substitute, so that the rest can be checked. */
  route: MockRoute;
  /** Values that can't be parsed, by field. */
  issues: ReadonlyMap<string, string>;
  /** The keys of the header lines, in order. */
  headerKeys: readonly number[];
  answerHeaderKeys: readonly number[];
}

const EMPTY: MockForm = {
  name: '',
  enabled: true,
  priority: '0',
  method: 'GET',
  url: '',
  headers: [],
  match: 'any',
  matchText: '',
  matchJson: '{}',
  status: '200',
  answerHeaders: [],
  body: 'json',
  json: '{}',
  text: '',
  base64: '',
  file: '',
  delay: '0',
  fault: '',
  template: false,
};

/** The form of a new mock. */
export const newForm = (): MockForm => EMPTY;

export const routeOf = ({ name, enabled, priority, request, answer }: MockRoute): MockRoute => ({
  name,
  enabled,
  priority,
  request,
  answer,
});

/** The form of an existing mock. */
export function formOf({ name, enabled, priority, request, answer }: MockRoute): MockForm {
  const { method, url, headers, body: match } = request;
  const { body } = answer;
  return {
    ...EMPTY,
    name,
    enabled,
    priority: String(priority),
    method,
    url,
    headers: linesOf(headers),
    ...(match !== null && 'contains' in match && { match: 'contains', matchText: match.contains }),
    ...(match !== null && 'json' in match && { match: 'json', matchJson: pretty(match.json) }),
    status: String(answer.status),
    answerHeaders: linesOf(answer.headers),
    body: body.kind,
    ...(body.kind === 'json' && { json: pretty(body.json) }),
    ...(body.kind === 'text' && { text: body.text }),
    ...(body.kind === 'base64' && { base64: body.base64 }),
    ...(body.kind === 'file' && { file: body.file }),
    delay: String(answer.delayMs),
    fault: answer.fault ?? '',
    template: answer.template,
  };
}

/** The mock of a form, and the values that can't be parsed. Headers without name and value are skipped. */
export function readForm(form: MockForm): ReadMock {
  const issues = new Map<string, string>();
  const whole = (field: string, text: string, instead: number): number => {
    const read = typedWhole(text);
    if (!read.ok) issues.set(field, read.reason);
    return read.ok ? read.value : instead;
  };
  const json = (field: string, text: string): Json => {
    try {
      const value: Json = JSON.parse(text);
      return value;
    } catch (error) {
      issues.set(field, `Invalid JSON: ${error instanceof Error ? error.message : String(error)}`);
      return null;
    }
  };
  const match = (): MockBodyMatch | null => {
    if (form.match === 'any') return null;
    return form.match === 'contains' ? { contains: form.matchText } : { json: json('request.body', form.matchJson) };
  };
  const body = (): MockBody => {
    switch (form.body) {
      case 'json':
        return { kind: 'json', json: json('answer.body', form.json) };
      case 'text':
        return { kind: 'text', text: form.text };
      case 'file':
        return { kind: 'file', file: form.file.trim() };
      case 'base64': {
        const base64 = form.base64.replaceAll(/\s+/g, '');
        if (!isBase64(base64)) issues.set('answer.body', 'Invalid Base64. Choose a file, or paste its Base64 text.');
        return { kind: 'base64', base64: isBase64(base64) ? base64 : '' };
      }
      default:
        return { kind: 'none' };
    }
  };
  const name = form.name.trim();
  if (name === '') issues.set('name', 'Enter a name for the mock.');
  const headers = form.headers.filter(isSaid);
  const answerHeaders = form.answerHeaders.filter(isSaid);
  const route: MockRoute = {
    // A substitute, so that main checks the rest.
    name: name === '' ? 'New mock' : name,
    enabled: form.enabled,
    priority: whole('priority', form.priority, 0),
    request: { method: form.method, url: form.url.trim(), headers: headers.map(pairOf), body: match() },
    answer: {
      status: whole('answer.status', form.status, 200),
      headers: answerHeaders.map(pairOf),
      body: body(),
      delayMs: whole('answer.delayMs', form.delay, 0),
      fault: form.fault === '' ? null : form.fault,
      template: form.template,
    },
  };
  const keys = (lines: readonly HeaderLine[]) => lines.map(({ key }) => key);
  return { route, issues, headerKeys: keys(headers), answerHeaderKeys: keys(answerHeaders) };
}

/** Whether a form equals the saved mock; values of unselected choices are ignored. */
export function equalsSaved(form: MockForm, mock: Mock): boolean {
  const { route, issues } = readForm(form);
  return issues.size === 0 && JSON.stringify(route) === JSON.stringify(readForm(formOf(mock)).route);
}

export function withHeader(lines: readonly HeaderLine[]): HeaderLine[] {
  const key = Math.max(-1, ...lines.map((line) => line.key)) + 1;
  return [...lines, { key, name: '', value: '' }];
}

const isSaid = ({ name, value }: HeaderLine): boolean => name.trim() !== '' || value.trim() !== '';
const pairOf = ({ name, value }: HeaderLine): HeaderPair => [name.trim(), value.trim()];
const linesOf = (pairs: readonly HeaderPair[]): HeaderLine[] =>
  pairs.map(([name, value], key) => ({ key, name, value }));
const pretty = (value: Json): string => JSON.stringify(value, null, 2);
