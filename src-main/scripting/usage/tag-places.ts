import type { DiagramText } from '#domain/tag/diagram';
import type { MockAnswer, MockBody, MockBodyMatch, MockRoute } from '#domain/mock/mock';
import type { Rule } from '#domain/rule/rule';
import type { SavedContext, ScriptContexts } from '#domain/run/saved-context';
import type { ScriptTestText, TagFixture } from '#domain/run/script-test';
import { type Json, parseJson } from '#domain/text/json';
import { namesIn } from './script-index.ts';
import { renameable, replaceLiterals } from './path-literals.ts';

/**
 * Sees every place of an item where a tag may be named, and returns what belongs there: a search returns it unchanged,
 * a rename returns the new path. One traversal for both, so that a place that is found is also renamed. A place whose
 * rename would hide something else, such as a key of an object that has the new path too, stays: a search still finds
 * it, so that people can decide.
 */
export interface PlaceVisitor {
  /** The path of a tag, '' for none. */
  path(path: string, member: string): string;
  /** A value that may be equal to a path. */
  value(text: string, member: string): string;
  /** Text that may contain paths, such as JSON. */
  text(text: string, member: string): string;
  /** A URL, or a pattern of URLs, that may contain paths. */
  url(text: string, member: string): string;
  /** JavaScript that may contain paths as literals. */
  code(expression: string, member: string): string;
}

/** Collects the members that refer to one of the tags. */
export function finder(paths: ReadonlySet<string>): { visitor: PlaceVisitor; members: Set<string> } {
  const members = new Set<string>();
  const see = (found: boolean, member: string): void => void (found && members.add(member));
  const same = (path: string, member: string): string => {
    see(path !== '' && paths.has(path), member);
    return path;
  };
  const contains = (text: string, member: string): string => {
    see(namesAny(text, paths), member);
    return text;
  };
  const visitor: PlaceVisitor = {
    path: same,
    value: same,
    text: contains,
    url: contains,
    code(expression, member) {
      see(expression !== '' && namesIn(asBody(expression), paths).literals.length > 0, member);
      return expression;
    },
  };
  return { visitor, members };
}

/** The beginnings of paths, up to the first dot, also as in a URL, and all spellings of the paths. */
const searchesOf = new WeakMap<ReadonlySet<string>, { roots: string[]; spellings: string[] }>();

/** Whether a text contains one of the paths. Most texts contain no root of any: 50,000 paths take no longer than one. */
function namesAny(text: string, paths: ReadonlySet<string>): boolean {
  let search = searchesOf.get(paths);
  if (!search) {
    const plain = new Set([...paths].map((path) => path.slice(0, path.indexOf('.') + 1)));
    const roots = [...new Set([...plain].flatMap(spellingsOf))];
    search = { roots, spellings: [...paths].flatMap(spellingsOf) };
    searchesOf.set(paths, search);
  }
  if (!search.roots.some((root) => text.includes(root))) return false;
  return search.spellings.some((spelling) => replacedWords(text, spelling, '') !== text);
}

/** Replaces a path by another one. */
export function renamer(path: string, newPath: string): PlaceVisitor {
  const renamed = (named: string): string => (named === path ? newPath : named);
  return {
    path: renamed,
    value: renamed,
    text: (text) => renamedText(text, path, newPath),
    url: (url) => replacedIn(url, path, newPath, encodeURIComponent(newPath)),
    code(expression) {
      const body = asBody(expression);
      const { literals, exact } = namesIn(body, new Set([path]));
      if (!exact || literals.length === 0) return expression;
      const taken = namesIn(body, new Set([newPath])).literals;
      return replaceLiterals(body, renameable(literals, newPath, taken), newPath).slice(HEAD.length, -TAIL.length);
    },
  };
}

const HEAD = 'return (';
const TAIL = '\n)';
const asBody = (expression: string): string => HEAD + expression + TAIL;

/** A path as it is, in a URL and in a string of JSON, each once. */
const spellingsOf = (path: string): string[] => [...new Set([path, encodeURIComponent(path), inJson(path)])];

const inJson = (path: string): string => JSON.stringify(path).slice(1, -1);

/** Text with a path replaced; JSON stays as it is if one of its objects has both paths as keys. */
function renamedText(text: string, path: string, newPath: string): string {
  const before = parsed(text);
  if (before === undefined || typeof before === 'number') return replacedIn(text, path, newPath, newPath);
  return hasBoth(before, path, newPath) ? text : replacedIn(text, path, newPath, inJson(newPath));
}

function parsed(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** Whether an object in a value has both keys. */
function hasBoth(value: Json, path: string, newPath: string): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (!Array.isArray(value) && Object.hasOwn(value, path) && Object.hasOwn(value, newPath)) return true;
  return Object.values(value).some((item) => hasBoth(item, path, newPath));
}

/**
 * The text with a path replaced where it is not a part of a longer one, in every spelling.
 * @param plain the new path where the former one is written as it is
 */
function replacedIn(text: string, path: string, newPath: string, plain: string): string {
  const [, ...others] = spellingsOf(path);
  const replaced = replacedWords(text, path, plain);
  return others.reduce(
    (all, other) => replacedWords(all, other, other === inJson(path) ? inJson(newPath) : encodeURIComponent(newPath)),
    replaced,
  );
}

const WORD = /[\p{L}\p{N}_-]/u;

function replacedWords(text: string, path: string, newPath: string): string {
  if (path === '') return text;
  let replaced = '';
  let done = 0;
  for (let at = text.indexOf(path); at >= 0; at = text.indexOf(path, at + 1)) {
    const end = at + path.length;
    const before = text.charAt(at - 1);
    const continues = WORD.test(text.charAt(end)) || (text.charAt(end) === '.' && WORD.test(text.charAt(end + 1)));
    if (at < done || before === '.' || WORD.test(before) || continues) continue;
    replaced += text.slice(done, at) + newPath;
    done = end;
  }
  return replaced + text.slice(done);
}

/** A value whose texts may be paths: a text counts only if it equals a path, as in scripts. */
function inValue(value: Json, member: string, visitor: PlaceVisitor): Json {
  if (typeof value === 'string') return visitor.value(value, member);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => inValue(item, member, visitor));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const next = visitor.value(key, member);
      return [Object.hasOwn(value, next) ? key : next, inValue(item, member, visitor)];
    }),
  );
}

export function inRule(rule: Rule, visitor: PlaceVisitor): Rule {
  const { tags, window, outputs, condition } = rule;
  return {
    ...rule,
    // A rule that names both the former and the new path keeps it once.
    tags: [...new Set(tags.map((tag) => visitor.path(tag, 'tags')))],
    window: window.kind === 'while' ? { ...window, tag: visitor.path(window.tag, 'window.tag') } : window,
    outputs: outputs.map((output) => ({ ...output, tag: visitor.path(output.tag, `outputs.${output.name}`) })),
    condition: visitor.code(condition, 'condition'),
  };
}

export function inDiagram<Page extends DiagramText>(diagram: Page, visitor: PlaceVisitor): Page {
  return {
    ...diagram,
    parts: diagram.parts.map((part) => {
      const member = part.label === '' ? part.kind : `${part.kind} "${part.label}"`;
      const { trend } = part;
      // A trend of both the former and the new path keeps it once.
      const tags = trend && [...new Set(trend.tags.map((tag) => visitor.path(tag, member)))];
      return {
        ...part,
        tag: visitor.path(part.tag, member),
        value: inValue(part.value, member, visitor),
        ...(trend && tags && { trend: { ...trend, tags } }),
      };
    }),
  };
}

/** The members are the indexes of the contexts, with `named` before those of saved ones, and `current`. */
export function inContexts({ current, chosen, named, used }: ScriptContexts, visitor: PlaceVisitor): ScriptContexts {
  const inOne = <T extends SavedContext>(context: T, member: string): T => ({
    ...context,
    tagName: visitor.path(context.tagName, member),
    valueText: visitor.text(context.valueText, member),
  });
  return {
    current: current && inOne(current, 'current'),
    chosen,
    named: named.map((context, index) => inOne(context, `named ${index}`)),
    used: used.map((context, index) => inOne(context, String(index))),
  };
}

export function inTest<Test extends ScriptTestText>(test: Test, visitor: PlaceVisitor): Test {
  const { context, tags, mocks, expect } = test;
  const { tagValue, ...given } = context;
  const { result, error, writes, ...expected } = expect;
  return {
    ...test,
    context: {
      ...given,
      tagName: visitor.path(context.tagName, 'context.tagName'),
      ...(tagValue !== undefined && { tagValue: inValue(tagValue, 'context.tagValue', visitor) }),
    },
    tags: tags.map(({ tag, value, ...fixture }) => ({
      tag: fixturePath(tags, { tag, ...fixture }, visitor),
      value: inValue(value, 'tags', visitor),
      ...fixture,
    })),
    mocks: mocks.map((mock) => inMock(mock, mocksOf(visitor))),
    expect: {
      ...expected,
      error: error === null ? null : visitor.text(error, 'expect.error'),
      ...(result !== undefined && { result: inValue(result, 'expect.result', visitor) }),
      writes:
        writes?.map(({ tag, value, ...write }) => ({
          tag: visitor.path(tag, 'expect.writes'),
          ...(value !== undefined && { value: inValue(value, 'expect.writes', visitor) }),
          ...write,
        })) ?? null,
    },
  };
}

/** The path of a fixture; it stays if another fixture gives the value of the new one in the same scope. */
function fixturePath(
  fixtures: readonly TagFixture[],
  { tag, diagram, location }: Omit<TagFixture, 'value'>,
  visitor: PlaceVisitor,
): string {
  const next = visitor.path(tag, 'tags');
  const isTaken = fixtures.some(
    (other) => other.tag === next && other.diagram === diagram && other.location === location,
  );
  return isTaken ? tag : next;
}

/** All places of the mocks of a test are one member. */
const mocksOf = (visitor: PlaceVisitor): PlaceVisitor => ({
  path: (path) => visitor.path(path, 'mocks'),
  value: (value) => visitor.value(value, 'mocks'),
  text: (text) => visitor.text(text, 'mocks'),
  url: (url) => visitor.url(url, 'mocks'),
  code: (code) => visitor.code(code, 'mocks'),
});

export function inMock<Route extends MockRoute>(mock: Route, visitor: PlaceVisitor): Route {
  const { request, answer, sequence } = mock;
  const inAnswer = (one: MockAnswer): MockAnswer => ({
    ...one,
    headers: one.headers.map(([name, value]) => [name, visitor.text(value, 'answer.headers')]),
    body: inBody(one.body, visitor),
  });
  return {
    ...mock,
    request: {
      ...request,
      url: visitor.url(request.url, 'url'),
      headers: request.headers.map(([name, value]) => [name, visitor.text(value, 'headers')]),
      body: request.body && inMatch(request.body, visitor),
    },
    answer: inAnswer(answer),
    ...(sequence && { sequence: { ...sequence, answers: sequence.answers.map(inAnswer) } }),
  };
}

function inMatch(body: MockBodyMatch, visitor: PlaceVisitor): MockBodyMatch {
  return 'json' in body
    ? { json: inValue(body.json, 'body', visitor) }
    : { contains: visitor.text(body.contains, 'body') };
}

function inBody(body: MockBody, visitor: PlaceVisitor): MockBody {
  if (body.kind === 'json') return { ...body, json: inValue(body.json, 'answer.body', visitor) };
  if (body.kind === 'text') return { ...body, text: visitor.text(body.text, 'answer.body') };
  return body;
}
