import type { RunError, StackFrame } from '#domain/run';
import type { WriteFailure } from '#domain/tag';
import { inspect } from './inspect.ts';
import { MAX_CALL_LINES, MAX_ERROR_TEXT, MAX_FAILURES, MAX_STACK_FRAMES } from '../protocol/limits.ts';
import {
  captureStackTrace,
  EngineError,
  indexOfText,
  isArray,
  isError,
  matchOnce,
  min,
  PrimitiveNumber,
  PrimitiveString,
  sliceText,
} from './primordials.ts';

const MAX_STACK_TEXT = 50_000;
const MAX_ITEM = 1e9;
let linesFound = 0;

/**
 * Whatever a body threw, as data: also for texts, numbers, and errors whose members throw or are not what they
 * should be. Only the author's frames are kept.
 */
export function describeThrown(thrown: unknown): RunError {
  if (!looksLikeError(thrown)) {
    const message = typeof thrown === 'string' ? thrown : `the script threw ${inspect(thrown)}, which is not an Error`;
    return { name: 'Error', message: cut(message), line: null, column: null, stack: [] };
  }
  try {
    if (EngineError.prepareStackTrace !== undefined) EngineError.prepareStackTrace = undefined;
  } catch {
    // The script froze Error; its own hook decides what the stack says.
  }
  const stack = framesOf(textOf(() => thrown.stack, ''));
  const failures = failuresOf(thrown);
  return {
    name: cut(textOf(() => thrown.name, 'Error')),
    message: cut(textOf(() => thrown.message, '(the message of the error cannot be read)')),
    line: stack[0]?.line ?? null,
    column: stack[0]?.column ?? null,
    stack,
    ...(failures === null ? {} : { failures }),
  };
}

interface ErrorLike {
  name: unknown;
  message: unknown;
  stack: unknown;
  failures?: unknown;
}

function looksLikeError(thrown: unknown): thrown is ErrorLike {
  if (isError(thrown)) return true;
  if (typeof thrown !== 'object' || thrown === null) return false;
  try {
    return typeof (thrown as ErrorLike).message === 'string' && typeof (thrown as ErrorLike).stack === 'string';
  } catch {
    return false;
  }
}

/**
 * The line of the author's body that is running now, seen from `above`, a function of the guest; null if unknown, and
 * after the first MAX_CALL_LINES.
 */
export function callerLine(above: (...args: never[]) => unknown): number | null {
  if (linesFound >= MAX_CALL_LINES) return null;
  linesFound += 1;
  // One frame is half the work of three, and mostly the author's; a built-in such as Array.prototype.map may be between.
  return lineAbove(above, 1) ?? lineAbove(above, 5);
}

function lineAbove(above: (...args: never[]) => unknown, frames: number): number | null {
  const holder: { stack?: unknown } = {};
  const limit = EngineError.stackTraceLimit;
  const prepare = EngineError.prepareStackTrace;
  try {
    EngineError.stackTraceLimit = frames;
    if (prepare !== undefined) EngineError.prepareStackTrace = undefined;
    captureStackTrace(holder, above);
    const { stack } = holder;
    const found = typeof stack === 'string' ? matchOnce(/script:(\d+):/, stack) : null;
    return found === null ? null : PrimitiveNumber(found[1]);
  } catch {
    return null;
  } finally {
    try {
      EngineError.stackTraceLimit = limit;
      if (prepare !== undefined) EngineError.prepareStackTrace = prepare;
    } catch {
      // The script froze Error: nothing to restore.
    }
  }
}

function framesOf(stack: string): StackFrame[] {
  const frames: StackFrame[] = [];
  let kept = 0;
  let from = 0;
  // SCRIPT_NAME, then line and column. Made here: few runs need it.
  const pattern = /^ +at (?:async )?(?:(.*) \()?script:(\d+):(\d+)\)?$/;
  while (from < stack.length && kept < MAX_STACK_FRAMES) {
    const end = indexOfText(stack, '\n', from);
    const line = sliceText(stack, from, end === -1 ? stack.length : end);
    from = end === -1 ? stack.length : end + 1;
    const found = matchOnce(pattern, line);
    if (found === null) continue;
    frames[kept] = {
      function: functionName(found[1]),
      line: min(PrimitiveNumber(found[2]), 1e9),
      column: min(PrimitiveNumber(found[3]), 1e9),
    };
    kept += 1;
  }
  return frames;
}

function functionName(text: string | undefined): string | null {
  if (text === undefined || text === '' || text === '<anonymous>') return null;
  return sliceText(text, 0, 200);
}

function failuresOf(thrown: ErrorLike): WriteFailure[] | null {
  try {
    const { failures } = thrown;
    if (!isArray(failures)) return null;
    const kept: WriteFailure[] = [];
    const count = min(failures.length, MAX_FAILURES);
    for (let index = 0; index < count; index += 1) {
      const { tag, reason, index: item } = failures[index] as WriteFailure;
      if (typeof tag !== 'string' || typeof reason !== 'string') return null;
      // Whole and in range, as main asks of it: a script may throw what it likes.
      const placed = typeof item === 'number' && item >= 0 && item <= MAX_ITEM && item % 1 === 0;
      const failure = { tag: cut(tag), reason: cut(reason) };
      kept[index] = placed ? { ...failure, index: item } : failure;
    }
    return kept;
  } catch {
    return null;
  }
}

/** A member as text, whatever reading it or making text of it does. */
function textOf(read: () => unknown, otherwise: string): string {
  try {
    const value = read();
    if (typeof value === 'string') return sliceText(value, 0, MAX_STACK_TEXT);
    return value === undefined ? otherwise : sliceText(PrimitiveString(value), 0, MAX_STACK_TEXT);
  } catch {
    return otherwise;
  }
}

function cut(text: string): string {
  return text.length <= MAX_ERROR_TEXT ? text : `${sliceText(text, 0, MAX_ERROR_TEXT - 1)}…`;
}
