import { type Token, tokTypes, tokenizer } from 'acorn';
import { API_PARAMETERS } from '#domain/mock/api-call';

/** What a string of a script is for; `other` is a text that Tagwright knows nothing about. */
export type StringUse = 'path' | 'verb' | 'mediaType' | 'diagram' | 'location' | 'quality' | 'other';

/** An open bracket. */
interface CallFrame {
  open: '(' | '[' | '{' | 'index';
  /** `['TagValueManager', 'Get']`; empty without a call, `new` first for a constructor. */
  callee: string[];
  argument: number;
  /** The property of an object literal. */
  key: string | null;
}

/**
 * The use of the string that begins after this text. Judged by the tokens before it, because a text that is being typed
 * does not parse. Strings of declarations and of own functions may be paths.
 */
export function stringUseAfter(before: string): StringUse {
  const frames: CallFrame[] = [];
  const tokens: Token[] = [];
  try {
    for (const token of tokenizer(before, { ecmaVersion: 'latest' })) {
      step(token, tokens, frames);
      tokens.push(token);
    }
  } catch {
    return 'path';
  }
  const last = tokens.at(-1);
  if (last?.type === tokTypes.equality) return isQuality(tokens.at(-2)) ? 'quality' : 'other';
  if (last?.type === tokTypes.plusMin) return 'other';
  if (last?.type === tokTypes.eq) return 'path';
  const frame = frames.at(-1);
  if (!frame) return isBeginning(last) ? 'path' : 'other';
  switch (frame.open) {
    case '[': {
      const outer = frames.at(-2);
      return outer?.open === '(' && outer.callee.length > 1 && !isGet(outer) ? 'other' : 'path';
    }
    case '{':
      if (frame.key === null) return isBeginning(last) ? 'path' : 'other';
      return frame.key === 'tag' || frame.key === 'Tag' ? 'path' : 'other';
    case '(':
      return argumentUse(frame);
    default:
      return 'other';
  }
}

function step(token: Token, tokens: readonly Token[], frames: CallFrame[]): void {
  const { type } = token;
  const frame = frames.at(-1);
  const last = tokens.at(-1);
  if (type === tokTypes.parenL) frames.push({ open: '(', callee: calleeOf(tokens), argument: 0, key: null });
  else if (type === tokTypes.bracketL) {
    const isIndex = last?.type === tokTypes.name || last?.type === tokTypes.parenR || last?.type === tokTypes.bracketR;
    frames.push({ open: isIndex ? 'index' : '[', callee: [], argument: 0, key: null });
  } else if (type === tokTypes.braceL || type === tokTypes.dollarBraceL) {
    frames.push({ open: '{', callee: [], argument: 0, key: null });
  } else if (type === tokTypes.parenR || type === tokTypes.bracketR || type === tokTypes.braceR) frames.pop();
  else if (!frame) return;
  else if (type === tokTypes.comma) {
    frame.argument += 1;
    frame.key = null;
  } else if (type === tokTypes.semi) frame.key = null;
  else if (type === tokTypes.colon && frame.open === '{') {
    const beforeKey = tokens.at(-2)?.type;
    if (beforeKey === tokTypes.braceL || beforeKey === tokTypes.comma) frame.key = textOf(last);
  }
}

/** The names before an opening bracket, outermost first. */
function calleeOf(tokens: readonly Token[]): string[] {
  const names: string[] = [];
  let at = tokens.length - 1;
  for (; tokens[at]?.type === tokTypes.name; at -= 2) {
    names.unshift(textOf(tokens[at]) ?? '');
    const joint = tokens[at - 1]?.type;
    if (joint !== tokTypes.dot && joint !== tokTypes.questionDot)
      return joint?.keyword === 'new' ? ['new', ...names] : names;
  }
  // A member of something else than a name, such as `list()[0].push(`.
  return names.length > 0 ? ['', ...names] : names;
}

/** The arguments of both methods, after the tags or the items. */
const SCOPES: readonly StringUse[] = ['other', 'diagram', 'location'];

function argumentUse({ callee, argument }: CallFrame): StringUse {
  const [object = '', method = ''] = callee;
  if (object === 'TagValueManager') return SCOPES[argument] ?? 'other';
  if (object === 'ApiValueManager') {
    const parameters = Object.entries(API_PARAMETERS).find(([name]) => name === method)?.[1];
    const parameter = parameters?.[argument];
    return parameter === 'httpMethod' ? 'verb' : parameter === 'mediaType' ? 'mediaType' : 'other';
  }
  if (callee.length > 1) return callee.slice(0, -1).some((name) => /^quality$/i.test(name)) ? 'quality' : 'other';
  return callee.length === 1 ? 'path' : 'other';
}

const isGet = ({ callee: [object, method] }: CallFrame): boolean => object === 'TagValueManager' && method === 'Get';

const isQuality = (token: Token | undefined): boolean => /^quality$/i.test(textOf(token) ?? '');

/** Whether a value begins here, for a variable or an own function. */
function isBeginning(token: Token | undefined): boolean {
  const { type } = token ?? {};
  return type === tokTypes.eq || type === tokTypes.question || type === tokTypes.colon || type === tokTypes.arrow;
}

function textOf(token: Token | undefined): string | null {
  const value: unknown = token && 'value' in token ? token.value : null;
  return typeof value === 'string' ? value : null;
}
