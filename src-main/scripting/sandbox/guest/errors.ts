import type { WriteFailure } from '#domain/tag/tag';
import { inspect } from './inspect.ts';
import { MAX_ERROR_TEXT, MAX_FAILURES, MAX_FAILURES_TEXT, MAX_STACK_FRAMES } from '../protocol/limits.ts';
import {
  EngineError,
  hasMember,
  hasOwn,
  indexOfText,
  isArray,
  isError,
  matchOnce,
  own,
  PrimitiveNumber,
  PrimitiveString,
  put,
  sliceText,
  stringify,
} from './primordials.ts';

const MAX_STACK_TEXT = 50_000;
const MAX_ITEM = 1e9;

/**
 * The JSON text of a RunError for anything that a body threw, including texts, numbers, and errors whose members throw
 * or have the wrong type. Only the author's frames are kept. Written by hand, because a script may have put a `toJSON`
 * on any prototype.
 */
export function thrownJson(thrown: unknown): string {
  if (!looksLikeError(thrown)) {
    const message = typeof thrown === 'string' ? thrown : `the script threw ${inspect(thrown)}, which is not an Error`;
    return errorJson('Error', message);
  }
  try {
    if ('prepareStackTrace' in EngineError) put(EngineError, 'prepareStackTrace', undefined);
  } catch {
    // The script froze Error; its own hook determines the stack.
  }
  const frames = framesOf(textOf(() => thrown.stack, ''));
  const name = textOf(() => nameOf(thrown), 'Error');
  const message = textOf(() => thrown.message, '(the message of the error cannot be read)');
  return errorJson(name, message, frames, failuresOf(thrown));
}

/** A RunError as JSON text; without frames it has no place. */
export function errorJson(name: string, message: string, frames: Frames = NO_FRAMES, failures = NO_FAILURES): string {
  const shown = cut(message, MAX_ERROR_TEXT - failures.note.length) + failures.note;
  return (
    `{"name":${stringify(cut(name, MAX_ERROR_TEXT))},"message":${stringify(shown)},` +
    `"line":${frames.line},"column":${frames.column},"stack":[${frames.json}]${failures.json}}`
  );
}

/** The frames as JSON, with the place of the first. */
interface Frames {
  json: string;
  line: number | null;
  column: number | null;
}

/**
 * The member `failures` as JSON, with a leading comma; `note` is the addition to the message about dropped failures.
 */
interface Failures {
  json: string;
  note: string;
}

const NO_FRAMES: Frames = { json: '', line: null, column: null };
const NO_FAILURES: Failures = { json: '', note: '' };

interface ErrorLike {
  name?: unknown;
  message: unknown;
  stack: unknown;
  failures?: unknown;
}

function looksLikeError(thrown: unknown): thrown is ErrorLike {
  if (isError(thrown)) return true;
  if (typeof thrown !== 'object' || thrown === null) return false;
  try {
    return (
      hasMember(thrown, 'message') &&
      hasMember(thrown, 'stack') &&
      typeof (thrown as ErrorLike).message === 'string' &&
      typeof (thrown as ErrorLike).stack === 'string'
    );
  } catch {
    return false;
  }
}

/** Uses the name of its class if that is a text. */
function nameOf(thrown: ErrorLike): unknown {
  const { name } = thrown;
  return typeof name === 'string' || hasOwn(thrown, 'name') ? name : undefined;
}

/** The author's frames of a stack. */
export function framesOf(stack: string): Frames {
  let frames = NO_FRAMES;
  let from = 0;
  // SCRIPT_NAME, then line and column. Created here, because few runs need it.
  const pattern = /^ +at (?:async )?(?:(.*) \()?script:(\d+):(\d+)\)?$/;
  for (let kept = 0; from < stack.length && kept < MAX_STACK_FRAMES;) {
    const end = indexOfText(stack, '\n', from);
    const text = sliceText(stack, from, end === -1 ? stack.length : end);
    from = end === -1 ? stack.length : end + 1;
    const found = matchOnce(pattern, text);
    if (found === null) continue;
    const line = position(found[2]);
    const column = position(found[3]);
    const json = `{"function":${functionJson(found[1])},"line":${line},"column":${column}}`;
    frames = kept === 0 ? { json, line, column } : { ...frames, json: `${frames.json},${json}` };
    kept += 1;
  }
  return frames;
}

/** A script may write its own stack. */
function position(text: string | undefined): number {
  const found = PrimitiveNumber(text);
  return found < 1e9 ? found : 1e9;
}

function functionJson(text: string | undefined): string {
  if (text === undefined || text === '' || text === '<anonymous>') return 'null';
  return stringify(sliceText(text, 0, 200));
}

/** As many of its failures as an error may carry; none if they don't have the form of a rejected Set. */
function failuresOf(thrown: ErrorLike): Failures {
  try {
    const failures = own(thrown, 'failures');
    if (!isArray(failures)) return NO_FAILURES;
    const count: unknown = failures.length;
    // A proxy can return anything here.
    if (typeof count !== 'number') return NO_FAILURES;
    let json = '';
    let kept = 0;
    for (; kept < count && kept < MAX_FAILURES; kept += 1) {
      const one = failureJson(failures[kept] as WriteFailure);
      if (one === null) return NO_FAILURES;
      if (json.length + one.length > MAX_FAILURES_TEXT) break;
      json += (kept === 0 ? '' : ',') + one;
    }
    const note = kept === count ? '' : ` [${count - kept} of ${count} failures omitted]`;
    return { json: `,"failures":[${json}]`, note };
  } catch {
    return NO_FAILURES;
  }
}

function failureJson(failure: WriteFailure): string | null {
  const tag = own(failure, 'tag');
  const reason = own(failure, 'reason');
  const index = own(failure, 'index');
  if (typeof tag !== 'string' || typeof reason !== 'string') return null;
  // An integer in range, as main requires: a script can throw anything.
  const placed = typeof index === 'number' && index >= 0 && index <= MAX_ITEM && index % 1 === 0;
  const texts = `"tag":${stringify(cut(tag, MAX_ERROR_TEXT))},"reason":${stringify(cut(reason, MAX_ERROR_TEXT))}`;
  return `{${texts}${placed ? `,"index":${index}` : ''}}`;
}

/** A member as text, whatever reading or converting it does. */
function textOf(read: () => unknown, otherwise: string): string {
  try {
    const value = read();
    if (typeof value === 'string') return sliceText(value, 0, MAX_STACK_TEXT);
    return value === undefined ? otherwise : sliceText(PrimitiveString(value), 0, MAX_STACK_TEXT);
  } catch {
    return otherwise;
  }
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${sliceText(text, 0, most - 1)}…`;
}
