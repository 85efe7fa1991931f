import { isJsonObject, type Json, lengthOfJson } from '#domain/text/json';
import {
  type AnyText,
  placeIn,
  replacedIn,
  type Replacement,
  wholeOf,
} from '../../platform/long-texts/text-in-parts.ts';
import type { Steps } from '../../platform/turns.ts';
import { BEGINS_FORM, eachMatch, FORM_START, jsonInSteps, occursIn, SHORT_TEXT } from '../long-text.ts';
import {
  credentialsIn,
  DEPTH,
  FoundValues,
  type Hide,
  hideAll,
  isSecretField,
  maskMembers,
  MAY_NAME_SECRETS,
  NAMED_IN_TEXT,
  SCHEME_IN_TEXT,
  secretMembers,
} from './masking.ts';

/** About the characters of a value that is searched at once. */
const SHORT_VALUE = 16_384;
/** Fields of a form that are looked at at once. */
const STEP_FIELDS = 2_000;
/** Characters in which the first one that is not blank is searched at once. */
const BLANKS = 131_072;

/** The values of a body that are masked in it because of their names, in steps. */
export function* credentialsInBody(body: AnyText | null): Steps<string[]> {
  if (body === null || body.length <= SHORT_TEXT) return credentialsIn([], '', body && wholeOf(body));
  if (!(yield* occursIn(body, MAY_NAME_SECRETS))) return [];
  const found = new FoundValues();
  const value = (yield* mayBeginJson(body)) ? yield* jsonInSteps(body) : undefined;
  if (value !== undefined) yield* searchValue(value, found.hide);
  else if (BEGINS_FORM.test(body.slice(0, FORM_START)) && !(yield* occursIn(body, /\s/)))
    yield* searchFields(body, found.hide);
  else yield* searchText(body, found.hide);
  return found.list;
}

function* mayBeginJson(text: AnyText): Steps<boolean> {
  for (let from = 0; from < text.length; from += BLANKS) {
    const first = /\S/.exec(text.slice(from, from + BLANKS))?.[0];
    if (first !== undefined) return first === '[' || first === '{';
    yield;
  }
  return false;
}

/** What `maskMembers` finds. */
function* searchValue(value: Json, hide: Hide, depth = 0): Steps<void> {
  if (depth > DEPTH || isShort(value)) {
    maskMembers(value, hide, depth);
    yield;
  } else if (Array.isArray(value)) {
    yield* inGroups(
      value,
      (items) => void maskMembers(items, hide, depth),
      (item) => searchValue(item, hide, depth + 1),
    );
  } else if (isJsonObject(value)) {
    const isSecret = secretMembers(value);
    for (const [name, member] of Object.entries(value)) {
      if (isSecret(name, member)) yield* hideParts(member, hide, depth + 1);
      else yield* searchValue(member, hide, depth + 1);
    }
  }
}

/** What `hideAll` finds. */
function* hideParts(value: Json, hide: Hide, depth: number): Steps<void> {
  if (typeof value !== 'object' || value === null || depth > DEPTH || isShort(value)) hideAll(value, hide, depth);
  else for (const part of Object.values(value)) yield* hideParts(part, hide, depth + 1);
  yield;
}

/** Short items together, long ones one by one. */
function* inGroups(
  items: readonly Json[],
  short: (group: Json[]) => void,
  long: (item: Json) => Steps<void>,
): Steps<void> {
  let group: Json[] = [];
  let length = 0;
  for (const item of items) {
    const own = lengthOfJson(item, SHORT_VALUE);
    length += own;
    if (own <= SHORT_VALUE) group.push(item);
    if (length <= SHORT_VALUE) continue;
    short(group);
    yield;
    if (own > SHORT_VALUE) yield* long(item);
    group = [];
    length = 0;
  }
  short(group);
}

const isShort = (value: Json): boolean => typeof value === 'string' || lengthOfJson(value, SHORT_VALUE) <= SHORT_VALUE;

/** What `maskText` finds in a form. */
function* searchFields(form: AnyText, hide: Hide): Steps<void> {
  let fields = 0;
  for (let from = 0; from <= form.length;) {
    const next = yield* placeIn(form, '&', from);
    const to = next < 0 ? form.length : next;
    const equals = yield* placeIn(form, '=', from, to);
    if (equals >= 0 && isSecretField(form.slice(from, equals))) hide(form.slice(equals + 1, to));
    from = to + 1;
    fields += 1;
    if (fields % STEP_FIELDS === 0) yield;
  }
}

/** What `maskText` finds in other texts: the values of names in what remains when those of schemes are masked. */
function* searchText(text: AnyText, hide: Hide): Steps<void> {
  const masked: Replacement[] = [];
  yield* eachMatch(text, SCHEME_IN_TEXT, ({ 0: whole, 1: scheme = '', 2: value = '', index }) => {
    masked.push({ from: index, to: index + whole.length, text: `${scheme} ${hide(value)}` });
  });
  const others = masked.length === 0 ? text : yield* replacedIn(text, masked);
  yield* eachMatch(others, NAMED_IN_TEXT, ({ 3: value = '' }) => void hide(value));
}
