import { isJsonObject, type Json } from '#domain/text/json';
import type { MockBodyMatch } from '#domain/mock/mock';
import { type AnyText, placeIn, wholeOf } from '../../platform/long-texts/text-in-parts.ts';
import { atOnce, type Steps } from '../../platform/turns.ts';
import { BEGINS_FORM, FORM_START, jsonInSteps, SHORT_TEXT } from '../long-text.ts';

/** The value of a long body, which is read in steps if a mock needs it. */
export class LongBody {
  readonly #body: AnyText;
  #value: Json | undefined;
  /** `wanted` once a mock needed the value. */
  state: 'unread' | 'wanted' | 'read' = 'unread';

  /** Null for a body that is read at once. */
  static of(body: AnyText | null): LongBody | null {
    return body === null || body.length <= SHORT_TEXT ? null : new LongBody(body);
  }

  private constructor(body: AnyText) {
    this.#body = body;
  }

  /** The value; undefined if there is none, or if it is not read yet. */
  get value(): Json | undefined {
    if (this.state === 'unread') this.state = 'wanted';
    return this.#value;
  }

  *read(): Steps<void> {
    const json = yield* jsonInSteps(this.#body);
    this.#value = json === undefined ? formIn(this.#body) : json;
    this.state = 'read';
  }
}

export function matchesBody(wanted: MockBodyMatch | null, body: AnyText | null, long: LongBody | null = null): boolean {
  if (wanted === null) return true;
  if ('contains' in wanted) return atOnce(placeIn(body ?? '', wanted.contains)) >= 0;
  const value = long === null ? fieldsOf(wholeOf(body ?? '')) : long.value;
  return value !== undefined && holds(value, wanted.json);
}

/** The body as JSON, or the fields of a form as an object. */
export function fieldsOf(body: string): Json | undefined {
  try {
    const value: Json = JSON.parse(body);
    return value;
  } catch {
    return formIn(body);
  }
}

const formIn = (body: AnyText): Json | undefined =>
  BEGINS_FORM.test(body.slice(0, FORM_START)) ? Object.fromEntries(new URLSearchParams(wholeOf(body))) : undefined;

/** Whether the value contains the expected one: every named member, and arrays of equal length. */
function holds(value: Json, wanted: Json): boolean {
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(value) &&
      value.length === wanted.length &&
      wanted.every((item, index) => holds(value[index] ?? null, item))
    );
  }
  if (!isJsonObject(wanted)) return value === wanted;
  if (!isJsonObject(value)) return false;
  return Object.entries(wanted).every(([name, member]) => {
    const found = value[name];
    return Object.hasOwn(value, name) && found !== undefined && holds(found, member);
  });
}
