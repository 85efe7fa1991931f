import type { HeaderPair } from '#domain/mock/api-call';
import { isBase64 } from '#domain/text/base64';
import type { Json } from '#domain/text/json';
import type { MockAnswer, MockBody, MockFault } from '#domain/mock/mock';
import { typedWhole } from '#domain/text/typed-number';

/** A header line in the form; its key stays the same while others are added and removed. */
export interface HeaderLine {
  key: number;
  name: string;
  value: string;
}

/** A response in the form: numbers and JSON are text, even invalid text. */
export interface AnswerForm {
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

export const NEW_ANSWER: AnswerForm = {
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

/** The response of a form with more than that. */
export function answerPart(form: AnswerForm): AnswerForm {
  const { status, answerHeaders, body, json, text, base64, file, delay, fault, template } = form;
  return { status, answerHeaders, body, json, text, base64, file, delay, fault, template };
}

/** The field of the response with this index: `answer`, `sequence.answers.0`. */
export const fieldOfAnswer = (index: number): string => (index === 0 ? 'answer' : `sequence.answers.${index - 1}`);

/** The index of the response that a field belongs to. */
export function answerOfField(field: string): number {
  const later = /^sequence\.answers\.(\d+)/.exec(field)?.[1];
  return later === undefined ? 0 : Number(later) + 1;
}

/** The form of an existing response. */
export function answerFormOf(answer: MockAnswer): AnswerForm {
  const { body } = answer;
  return {
    ...NEW_ANSWER,
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

/** Whether the text of a response is JSON by its Content-Type, even with expressions that are not JSON. */
export function isJsonText({ body, answerHeaders }: Pick<AnswerForm, 'body' | 'answerHeaders'>): boolean {
  const type = answerHeaders.find(({ name }) => /^content-type$/i.test(name.trim()))?.value ?? '';
  return body === 'text' && /^\s*[\w.-]+\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type);
}

/** Collects the values of a form that can't be parsed, by field. */
export class FormIssues extends Map<string, string> {
  whole(field: string, text: string, instead: number): number {
    const read = typedWhole(text);
    if (!read.ok) this.set(field, read.reason);
    return read.ok ? read.value : instead;
  }

  json(field: string, text: string): Json {
    try {
      const value: Json = JSON.parse(text);
      return value;
    } catch (error) {
      this.set(field, `Invalid JSON: ${error instanceof Error ? error.message : String(error)}`);
      return null;
    }
  }
}

/** The response of a form, which is at this field. Headers without name and value are skipped. */
export function readAnswer(form: AnswerForm, field: string, issues: FormIssues): MockAnswer {
  return {
    status: issues.whole(`${field}.status`, form.status, 200),
    headers: writtenHeaders(form.answerHeaders).map(pairOf),
    body: readBody(form, field, issues),
    delayMs: issues.whole(`${field}.delayMs`, form.delay, 0),
    fault: form.fault === '' ? null : form.fault,
    template: form.template,
  };
}

function readBody(form: AnswerForm, field: string, issues: FormIssues): MockBody {
  switch (form.body) {
    case 'json':
      return { kind: 'json', json: issues.json(`${field}.body`, form.json) };
    case 'text':
      return { kind: 'text', text: form.text };
    case 'file':
      return { kind: 'file', file: form.file.trim() };
    case 'base64': {
      const base64 = form.base64.replaceAll(/\s+/g, '');
      if (!isBase64(base64)) issues.set(`${field}.body`, 'Invalid Base64. Choose a file, or paste its Base64 text.');
      return { kind: 'base64', base64: isBase64(base64) ? base64 : '' };
    }
    default:
      return { kind: 'none' };
  }
}

export function withHeader(lines: readonly HeaderLine[]): HeaderLine[] {
  const key = Math.max(-1, ...lines.map((line) => line.key)) + 1;
  return [...lines, { key, name: '', value: '' }];
}

/** The lines that are not blank. */
export const writtenHeaders = (lines: readonly HeaderLine[]): HeaderLine[] =>
  lines.filter(({ name, value }) => name.trim() !== '' || value.trim() !== '');
export const pairOf = ({ name, value }: HeaderLine): HeaderPair => [name.trim(), value.trim()];
export const linesOf = (pairs: readonly HeaderPair[]): HeaderLine[] =>
  pairs.map(([name, value], key) => ({ key, name, value }));
export const pretty = (value: Json): string => JSON.stringify(value, null, 2);
