import type { HeaderPair } from '#domain/mock/api-call';
import type { MockTrialRequest } from '#domain/mock/mock';
import type { MockForm } from './mock-form.ts';

/** A request for a trial, as typed. */
export interface TrialForm {
  method: MockTrialRequest['method'];
  url: string;
  /** One header per line: `Name: value`. */
  headers: string;
  body: string;
}

/** A request that the mock of a form should match: `*` and named parts of its URL get sample values. */
export function trialOf(form: MockForm): TrialForm {
  const url = form.url
    .trim()
    .replace(/^(?:\*:)?\/\//, 'https://')
    .replace(/^http\*:/i, 'https:')
    .replaceAll(/\{\w{1,60}\}/g, '1')
    .replaceAll(/\*+/g, 'x');
  const body = form.match === 'contains' ? form.matchText : form.match === 'json' ? form.matchJson : '';
  return {
    method: form.method === 'ANY' ? 'GET' : form.method,
    url,
    headers: form.headers
      .filter(({ name }) => name.trim() !== '')
      .map(({ name, value }) => `${name.trim()}: ${value.replaceAll('*', 'x')}`)
      .join('\n'),
    body,
  };
}

/** Parses headers, one per line; a line without a colon is a name without a value. */
export function headersOf(text: string): HeaderPair[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const at = line.indexOf(':');
      return at < 0 ? [line, ''] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    });
}
