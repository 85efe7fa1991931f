import { createHash } from 'node:crypto';
import { mockRoute } from '#contract/texts/mock-route';
import { scriptTestText } from '#contract/texts/script-test-text';
import type { Mock, MockAnswer, MockBody, MockBodyMatch, MockRoute } from '#domain/mock/mock';
import type { Rule } from '#domain/rule/rule';
import type { Draft, ScriptSummary } from '#domain/run/script';
import { partsOfDraftKey, SCRIPT_LIMITS } from '#domain/run/script';
import type { ScriptTest, ScriptTestText } from '#domain/run/script-test';
import { compactTest } from '#domain/run/script-test';
import type { SearchKind } from '#domain/search/found';
import type { TagDefinition, TagKind } from '#domain/tag/tag';
import { DEFINITION_LIMITS } from '#domain/tag/tag';
import { type Json, parseJson } from '#domain/text/json';
import { lossInJson } from '#domain/text/json-members';
import { checkRule } from '../../events/rules/check-rule.ts';
import { messageOf, TagwrightError } from '../../platform/errors.ts';
import { PLAIN } from '../../platform/plain-words.ts';
import type { Rewritable } from '../usage/tag-uses.ts';
import { checkDraft, checkScriptText, DRAFT_LIMITS } from '../scripts/script-rules.ts';

/** Where the texts come from. */
export interface SearchSources {
  stored: {
    summaries(): ScriptSummary[];
    byId(id: number): { body: string; deletedAt: string | null } | undefined;
  };
  scripts: { listDrafts(): Draft[]; revise(id: number, body: string): unknown };
  tests: Rewritable<ScriptTest> & { list(): ScriptTest[] };
  tags: {
    list(page: { limit: number }): { tags: TagDefinition[] };
    problems(tag: TagDefinition): { issues: { path: (string | number)[]; message: string }[] };
    definition(tag: { path: string }): TagDefinition;
    /** Saves the tags that `change` changes, in one transaction with `within`. */
    rewriteDefinitions(
      paths: readonly string[],
      change: (tag: TagDefinition) => TagDefinition,
      within: () => void,
    ): Promise<void>;
  };
  rules: Rewritable<Rule> & { list(): Rule[] };
  mocks: Rewritable<Mock> & {
    list(): { mocks: readonly Mock[] };
    check(mock: MockRoute): { issues: { path: (string | number)[]; message: string }[] };
  };
}

/** The items of each kind. */
export interface SearchedItems {
  /** The body is read when it is visited. */
  scripts: ScriptSummary & { body?: string };
  drafts: Draft;
  tests: ScriptTest;
  tags: TagDefinition;
  rules: Rule;
  mocks: Mock;
}

/**
 * Sees every searchable text of an item with its place, and returns what belongs there: a search returns it unchanged, a
 * replacement returns the new text. One traversal for both, so that every match can be replaced.
 */
export type TextVisitor = (text: string, field: string) => string;

/** One kind of items with texts. */
export interface SearchedKind<Item> {
  /** All of them, in the order of results; `window` is the window that searches. */
  items(window: string | null): readonly Item[];
  about(item: Item, window: string | null): SearchedItem;
  /** Characters by which a text can grow at most. */
  growth: number;
  /** The item with the texts that the visitor returns. Throws an Error if it can't have them. */
  visit(item: Item, visitor: TextVisitor): Item;
  /** Why the item can't be saved with its texts; null if it can. */
  problemOf(item: Item): string | null;
  /** Saves the items that `change` changes, inside a transaction. Null for tags and drafts, which others save. */
  save: ((keys: readonly string[], change: (item: Item) => Item) => void) | null;
}

/** What results show of an item. */
export interface SearchedItem {
  key: string;
  name: string;
  /** Only of a tag. */
  tagKind?: TagKind;
  scriptId: number | null;
  readOnly: string | null;
}

export type SearchedKinds = { readonly [K in SearchKind]: SearchedKind<SearchedItems[K]> };

/** The settings of each kind of tag that are texts. */
const TEXT_SETTINGS: Readonly<Record<TagKind, readonly string[]>> = {
  machine: [],
  storage: [],
  erp: [],
  db: ['readSql', 'writeSql'],
  calculation: ['expression'],
  // The texts of a script tag are those of its scripts.
  script: [],
};

/** Limit for texts without one of their own, and for a mock: a body of 48 MB. */
const MOST_GROWTH = 48 * 1_048_576;

const OTHER_WINDOW = 'It is a draft of another window; replace in it there.';

/** Every kind of items with searchable texts. */
export function searchedKinds({ stored, scripts, tests, tags, rules, mocks }: SearchSources): SearchedKinds {
  const scriptNames = (): Map<number, string> =>
    new Map(stored.summaries().map((script) => [script.id, nameOf(script)]));
  let namesOfTests = new Map<number, string>();
  return {
    scripts: {
      growth: SCRIPT_LIMITS.bodyBytes,
      items(window) {
        if (window === null) return stored.summaries();
        // The editor of this window shows its draft instead.
        const drafted = new Set(scripts.listDrafts().flatMap((draft) => (isOf(draft, window) ? [draft.scriptId] : [])));
        return stored.summaries().filter(({ id }) => !drafted.has(id));
      },
      about: (script) => ({ key: String(script.id), name: nameOf(script), scriptId: script.id, readOnly: null }),
      visit: (script, visitor) => ({
        ...script,
        body: visitor(script.body ?? stored.byId(script.id)?.body ?? '', 'body'),
      }),
      problemOf: ({ group, name, description, body = '' }) =>
        problemOf(() => checkScriptText({ group, name, description, body })),
      save(keys, change) {
        const known = new Map(stored.summaries().map((script) => [String(script.id), script]));
        for (const key of keys) {
          const script = known.get(key);
          const body = script && stored.byId(script.id)?.body;
          if (!script || body === undefined) continue;
          const next = change({ ...script, body }).body ?? body;
          if (next !== body) scripts.revise(script.id, next);
        }
      },
    },
    drafts: {
      growth: DRAFT_LIMITS.bodyBytes,
      items: () => scripts.listDrafts(),
      about: (draft, window) => ({
        key: draft.key,
        name: draft.name === '' ? 'a new script' : nameOf(draft),
        scriptId: draft.scriptId,
        readOnly: window !== null && isOf(draft, window) ? null : OTHER_WINDOW,
      }),
      visit: (draft, visitor) => ({ ...draft, body: visitor(draft.body, 'body') }),
      problemOf: (draft) => problemOf(() => checkDraft(draft)),
      // Editors have them open.
      save: null,
    },
    tests: {
      growth: MOST_GROWTH,
      items() {
        namesOfTests = scriptNames();
        return tests.list();
      },
      about: ({ id, scriptId, name }) => ({
        key: String(id),
        name: `${namesOfTests.get(scriptId) ?? ''}: ${name}`,
        scriptId,
        readOnly: null,
      }),
      visit(test, visitor) {
        const { name, ...texts } = compactTest(test);
        const text = JSON.stringify(texts, null, 2);
        const next = visitor(text, 'test');
        return next === text ? test : { ...test, ...testText(next, name) };
      },
      problemOf: () => null,
      save(keys, change) {
        const wanted = new Set(keys);
        tests.rewrite((test) => (wanted.has(String(test.id)) ? change(test) : test));
      },
    },
    tags: {
      growth: DEFINITION_LIMITS.settings,
      items: () => tags.list({ limit: Number.MAX_SAFE_INTEGER }).tags,
      about: ({ path, kind }) => ({ key: path, name: path, tagKind: kind, scriptId: null, readOnly: null }),
      visit(tag, visitor) {
        const settings = { ...tag.settings };
        for (const setting of TEXT_SETTINGS[tag.kind]) {
          const text = settings[setting];
          if (typeof text === 'string') settings[setting] = visitor(text, `settings.${setting}`);
        }
        return { ...tag, settings };
      },
      problemOf: (tag) => issueText(tags.problems(tag).issues),
      // In their own library, in the same transaction.
      save: null,
    },
    rules: {
      growth: MOST_GROWTH,
      items: () => rules.list(),
      about: ({ id, name }) => ({ key: String(id), name, scriptId: null, readOnly: null }),
      visit: (rule, visitor) => ({ ...rule, condition: visitor(rule.condition, 'condition') }),
      problemOf: (rule) => problemOf(() => checkRule(rule, (path) => tags.definition({ path }), true)),
      save(keys, change) {
        const wanted = new Set(keys);
        rules.rewrite((rule) => (wanted.has(String(rule.id)) ? change(rule) : rule));
      },
    },
    mocks: {
      growth: MOST_GROWTH,
      items: () => mocks.list().mocks,
      about: ({ id, name }) => ({ key: String(id), name, scriptId: null, readOnly: null }),
      visit: (mock, visitor) => inMock(mock, visitor),
      problemOf(mock) {
        const checked = mockRoute().safeParse(mock, PLAIN);
        return issueText(checked.success ? mocks.check(mock).issues : checked.error.issues);
      },
      save(keys, change) {
        const wanted = new Set(keys);
        mocks.rewrite((mock) => (wanted.has(String(mock.id)) ? change(mock) : mock));
      },
    },
  };
}

function inMock<Route extends MockRoute>(mock: Route, visitor: TextVisitor): Route {
  const { request, sequence } = mock;
  const headers = (all: MockRoute['request']['headers'], field: string) =>
    all.map(([name, value], index): [string, string] => [name, visitor(value, `${field}.${index}`)]);
  const inAnswer = (answer: MockAnswer, field: string): MockAnswer => ({
    ...answer,
    headers: headers(answer.headers, `${field}.headers`),
    body: inBody(answer.body, `${field}.body`, visitor),
  });
  return {
    ...mock,
    request: {
      ...request,
      url: visitor(request.url, 'request.url'),
      headers: headers(request.headers, 'request.headers'),
      body: request.body && inMatch(request.body, visitor),
    },
    answer: inAnswer(mock.answer, 'answer'),
    ...(sequence && {
      sequence: {
        ...sequence,
        answers: sequence.answers.map((one, index) => inAnswer(one, `sequence.answers.${index}`)),
      },
    }),
  };
}

function inMatch(body: MockBodyMatch, visitor: TextVisitor): MockBodyMatch {
  return 'json' in body
    ? { json: inJson(body.json, 'request.body', visitor) }
    : { contains: visitor(body.contains, 'request.body') };
}

function inBody(body: MockBody, field: string, visitor: TextVisitor): MockBody {
  if (body.kind === 'json') return { ...body, json: inJson(body.json, field, visitor) };
  if (body.kind === 'text') return { ...body, text: visitor(body.text, field) };
  return body;
}

/** JSON is searched as the text that its editor shows. */
function inJson(value: Json, field: string, visitor: TextVisitor): Json {
  const text = JSON.stringify(value, null, 2);
  const next = visitor(text, field);
  return next === text ? value : jsonOf(next);
}

function jsonOf(text: string): Json {
  let value: Json;
  try {
    value = parseJson(text);
  } catch (thrown) {
    throw new Error(`It would not be valid JSON: ${messageOf(thrown)}.`, { cause: thrown });
  }
  const loss = lossInJson(text);
  if (loss !== null) throw new Error(`It would not be saved as it is written: ${loss}.`);
  return value;
}

/** A test with other inputs and expected results. */
function testText(text: string, name: string): ScriptTestText {
  const checked = scriptTestText().safeParse({ ...Object(jsonOf(text)), name }, PLAIN);
  if (checked.success) return checked.data;
  throw new Error(issueText(checked.error.issues) ?? 'It is not a test.');
}

/** The first problem, with its place. */
function issueText([issue]: readonly { path: readonly PropertyKey[]; message: string }[]): string | null {
  return issue ? `${issue.path.map(String).join('.')}: ${issue.message}` : null;
}

function problemOf(check: () => void): string | null {
  try {
    check();
    return null;
  } catch (thrown) {
    const issues: unknown = thrown instanceof TagwrightError ? Object(thrown.data)['issues'] : null;
    return (Array.isArray(issues) ? issueText(issues) : null) ?? messageOf(thrown);
  }
}

/** All texts of an item. */
export function textsOf<Item>(kind: SearchedKind<Item>, item: Item): { text: string; field: string }[] {
  const texts: { text: string; field: string }[] = [];
  kind.visit(item, (text, field) => {
    texts.push({ text, field });
    return text;
  });
  return texts;
}

/** Identifies a text, so that a replacement notices that it has changed. */
export const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22);

const isOf = (draft: Draft, window: string): boolean => partsOfDraftKey(draft.key).window === window;
const nameOf = ({ group, name }: { group: string; name: string }): string => `${group}/${name}`;
