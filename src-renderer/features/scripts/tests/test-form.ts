import type { MockBody, MockRoute } from '#domain/mock/mock';
import { MOCK_METHODS } from '#domain/mock/mock';
import type { RunStatus } from '#domain/run/run';
import { contextOf, formOf, problemOfJson, readValue } from '#domain/run/saved-context';
import type { SavedContext } from '#domain/run/saved-context';
import type { ScriptTestText } from '#domain/run/script-test';
import type { Quality } from '#domain/tag/quality';
import { QUALITIES } from '#domain/tag/quality';
import { isJsonObject, type Json } from '#domain/text/json';

/** A row of a list, with the texts as typed. */
interface FormRow {
  /** Identifies the row while it is edited. */
  key: number;
}

export interface FixtureRow extends FormRow {
  tag: string;
  /** JSON. */
  value: string;
  quality: string;
  diagram: string;
  location: string;
}

export interface WriteRow extends FormRow {
  tag: string;
  /** JSON; '' matches any value. */
  value: string;
  diagram: string;
  location: string;
}

export interface EventFields extends FormRow {
  rule: string;
  count: string;
}

export interface MockFields extends FormRow {
  name: string;
  method: string;
  url: string;
  status: string;
  /** JSON or another text; null for a body that only the JSON can edit. */
  body: string | null;
  /** The members that the form does not show. */
  rest: MockRoute;
}

/** A test as typed. Null members are not checked. */
export interface TestForm {
  context: SavedContext;
  tags: FixtureRow[];
  mocks: MockFields[];
  status: RunStatus;
  error: string | null;
  result: string | null;
  writes: WriteRow[] | null;
  events: EventFields[] | null;
}

/** Problems by field: `tags.3.value`, with the key of the row; `result`. */
export type FormProblems = ReadonlyMap<string, string>;

const NEW_MOCK: MockRoute = {
  name: '',
  enabled: true,
  priority: 0,
  request: { method: 'GET', url: '', headers: [], body: null },
  answer: { status: 200, headers: [], body: { kind: 'none' }, delayMs: 0, fault: null, template: false },
};

let keys = 0;
const key = (): number => (keys += 1);

export const newFixture = (): FixtureRow => ({
  key: key(),
  tag: '',
  value: '',
  quality: 'Good',
  diagram: '',
  location: '',
});
export const newWrite = (): WriteRow => ({ key: key(), tag: '', value: '', diagram: '', location: '' });
export const newEvent = (): EventFields => ({ key: key(), rule: '', count: '1' });
export const newMock = (): MockFields => mockRow(NEW_MOCK);

const shown = (value: Json): string => JSON.stringify(value);

export function formOfTest({ context, tags, mocks, expect }: Omit<ScriptTestText, 'name'>): TestForm {
  const { tagName, tagScopeDiagram: diagram, tagScopeLocation: location } = context;
  const given = 'tagValue' in context && context.tagValue !== undefined ? { tagValue: context.tagValue } : {};
  return {
    context: formOf({ tagName, diagram, location, ...given }),
    tags: tags.map(({ value, ...fixture }) => ({ ...fixture, value: shown(value), key: key() })),
    mocks: mocks.map(mockRow),
    status: expect.status,
    error: expect.error,
    result: 'result' in expect ? JSON.stringify(expect.result ?? null, null, 2) : null,
    writes:
      expect.writes?.map((write) => ({
        tag: write.tag,
        value: 'value' in write && write.value !== undefined ? shown(write.value) : '',
        diagram: write.diagram,
        location: write.location,
        key: key(),
      })) ?? null,
    events: expect.events?.map(({ rule, count }) => ({ rule, count: String(count), key: key() })) ?? null,
  };
}

function mockRow(rest: MockRoute): MockFields {
  const { name, request, answer } = rest;
  return {
    key: key(),
    name,
    method: request.method,
    url: request.url,
    status: String(answer.status),
    body: textOfBody(answer.body),
    rest,
  };
}

function textOfBody(body: MockBody): string | null {
  if (body.kind === 'none') return '';
  if (body.kind === 'text') return body.text;
  return body.kind === 'json' ? JSON.stringify(body.json, null, 2) : null;
}

/** The test of a form, or the problems of its fields. */
export function testOfForm(form: TestForm): { test: Omit<ScriptTestText, 'name'> } | { problems: FormProblems } {
  const problems = new Map<string, string>();
  const value = readValue(form.context);
  if (value.kind === 'problem') problems.set('tagValue', value.message);
  const json = (field: string, text: string): Json => {
    try {
      return JSON.parse(text);
    } catch (error) {
      problems.set(
        field,
        text.trim() === '' ? 'Enter a JSON value, such as 12.5 or "text"' : problemOfJson(text, error),
      );
      return null;
    }
  };
  const needed = (field: string, text: string, what: string): string => {
    if (text.trim() === '') problems.set(field, `Enter ${what}`);
    return text.trim();
  };
  const whole = (field: string, text: string, least: number, most: number): number => {
    const number = /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
    if (!(number >= least && number <= most)) problems.set(field, `Enter a whole number from ${least} to ${most}`);
    return number;
  };
  const tags = form.tags.map(({ key: row, tag, value: text, quality, diagram, location }) => ({
    tag: needed(`tags.${row}.tag`, tag, 'the path of a tag'),
    value: json(`tags.${row}.value`, text),
    quality: qualityOf(`tags.${row}.quality`, quality, problems),
    diagram: diagram.trim(),
    location: location.trim(),
  }));
  const mocks = form.mocks.map(({ key: row, name, method, url, status, body, rest }): MockRoute => {
    const known = MOCK_METHODS.find((one) => one === method.trim().toUpperCase());
    if (!known) problems.set(`mocks.${row}.method`, `Enter one of ${MOCK_METHODS.join(', ')}`);
    return {
      ...rest,
      name: needed(`mocks.${row}.name`, name, 'a name'),
      request: { ...rest.request, method: known ?? 'ANY', url: needed(`mocks.${row}.url`, url, 'a URL') },
      answer: {
        ...rest.answer,
        status: whole(`mocks.${row}.status`, status, 100, 599),
        body: body === null ? rest.answer.body : bodyOfText(body, rest.answer.body),
      },
    };
  });
  const writes = form.writes?.map(({ key: row, tag, value: text, diagram, location }) => ({
    tag: needed(`writes.${row}.tag`, tag, 'the path of a tag'),
    ...(text.trim() !== '' && { value: json(`writes.${row}.value`, text) }),
    diagram: diagram.trim(),
    location: location.trim(),
  }));
  const events = form.events?.map(({ key: row, rule, count }) => ({
    rule: needed(`events.${row}.rule`, rule, 'the name of a rule'),
    count: whole(`events.${row}.count`, count, 0, 1_000_000),
  }));
  const result = form.result === null ? {} : { result: json('result', form.result) };
  const context = contextOf(form.context);
  if (problems.size > 0 || !context) return { problems };
  const expect = { status: form.status, error: form.error, ...result, writes: writes ?? null, events: events ?? null };
  return { test: { context, tags, mocks, expect } };
}

/** The problems of a form that a change neither solved, added nor changed. */
export function leftProblems(form: TestForm, before: FormProblems): FormProblems {
  if (before.size === 0) return before;
  const made = testOfForm(form);
  const now = 'test' in made ? new Map<string, string>() : made.problems;
  return new Map([...before].filter(([field, message]) => now.get(field) === message));
}

function qualityOf(field: string, text: string, problems: Map<string, string>): Quality {
  const found = QUALITIES.find((quality) => quality.toLowerCase() === text.trim().toLowerCase());
  if (!found) problems.set(field, 'Choose a quality, such as Good or BadTimeout');
  return found ?? 'Good';
}

/** JSON stays JSON; a text that is none, or was a text before, is a text. */
function bodyOfText(text: string, before: MockBody): MockBody {
  if (text.trim() === '') return before.kind === 'text' ? { kind: 'text', text } : { kind: 'none' };
  if (before.kind === 'text') return { kind: 'text', text };
  try {
    return { kind: 'json', json: JSON.parse(text) };
  } catch {
    return { kind: 'text', text };
  }
}

/**
 * A test from JSON, with the defaults of omitted members; throws an Error for JSON that the form cannot show. Main checks
 * every member when the test is saved.
 */
export function testOfJson(text: string): Omit<ScriptTestText, 'name'> {
  const given: unknown = JSON.parse(text);
  const { context = {}, tags = [], mocks = [], expect = {}, ...others } = object(given, 'the test');
  none(others, 'the test');
  const {
    tagName = '',
    tagScopeDiagram = null,
    tagScopeLocation = null,
    tagValue,
    ...more
  } = object(context, 'context');
  none(more, 'context');
  const { status = 'ok', error = null, result, writes = null, events = null, ...rest } = object(expect, 'expect');
  none(rest, 'expect');
  const test: unknown = {
    context: { tagName, tagScopeDiagram, tagScopeLocation, ...(tagValue !== undefined && { tagValue }) },
    tags: list(tags, 'tags').map((fixture) => ({ quality: 'Good', diagram: '', location: '', ...fixture })),
    mocks: list(mocks, 'mocks').map((mock) => ({
      ...NEW_MOCK,
      ...mock,
      request: { ...NEW_MOCK.request, method: 'ANY', ...object(mock['request'] ?? {}, 'request') },
      answer: { ...NEW_MOCK.answer, ...object(mock['answer'] ?? {}, 'answer') },
    })),
    expect: {
      status,
      error,
      ...(result !== undefined && { result }),
      writes: writes === null ? null : list(writes, 'writes').map((one) => ({ diagram: '', location: '', ...one })),
      events: events === null ? null : list(events, 'events'),
    },
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- main checks every member
  return test as Omit<ScriptTestText, 'name'>;
}

function object(value: unknown, what: string): Record<string, Json> {
  if (isJsonObject(value)) return value;
  throw new Error(`"${what}" must be an object { … }`);
}

function list(value: unknown, what: string): Record<string, Json>[] {
  if (!Array.isArray(value)) throw new Error(`"${what}" must be a list [ … ]`);
  return value.map((one) => object(one, `an item of ${what}`));
}

function none(others: object, what: string): void {
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new Error(`"${what}" has no member "${unknown}"`);
}
