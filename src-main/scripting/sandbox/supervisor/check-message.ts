import { API_OPERATIONS, API_PARAMETERS, type ApiOperation } from '#domain/mock/api-call';
import { isJsonObject, type Json } from '#domain/text/json';
import type { ClockStep } from '#domain/run/clock-readings';
import { CONSOLE_LEVELS, type ConsoleEntry, type ConsoleValue, type RunError, type StackFrame } from '#domain/run/run';
import type { Scope } from '#domain/tag/scope';
import { scopeOf } from '#domain/tag/scope';
import type { TagWrite, WriteFailure } from '#domain/tag/tag';
import { isText as isAnyText, type PassedArgument, wholeOf } from '../../../platform/long-texts/text-in-parts.ts';
import { checkCount, checkMembers, parsed, ProtocolError } from '../../../platform/host-pipe/checks.ts';
import { MAX_JSON_DEPTH } from '../../../platform/host-pipe/limits.ts';
import {
  MAX_ERROR_TEXT,
  MAX_FAILURES,
  MAX_FAILURES_TEXT,
  MAX_REJECTED_TEXT,
  MAX_STACK_FRAMES,
} from '../protocol/limits.ts';
import { FROM_HOST, type RunEnd } from '../protocol/messages.ts';
import type { CallLine, RejectedCall } from '../script-run.ts';

const MAX_POSITION = 1e9;
/** Maximum depth of objects in the console; a guest unfolds five levels. */
const MAX_VALUE_DEPTH = 10;
/** Conversions add a level or two around the nesting of a script. */
const MAX_DEPTH = MAX_JSON_DEPTH + 10;
/** The same for the end of a run, whose members are one level. */
export const MAX_END_DEPTH = MAX_DEPTH + 1;

export interface CheckedCall {
  method: string;
  line: CallLine;
  /** The arguments; the method checks these. */
  args: readonly unknown[];
}

/** Checks by hand: a schema library costs a third of the rate of host calls. */
export function checkCall(text: string): CheckedCall {
  return checkedCall(parsed(text, CALL));
}

/** The names of frames for people. */
export const CALL = 'a call';
export const END = 'an invalid end of a run';

/** The same for a call that is parsed already. */
export function checkedCall(call: unknown): CheckedCall {
  if (!Array.isArray(call) || call.length < 2) throw new ProtocolError('a call that is not a list');
  const method: unknown = call[0];
  const line: unknown = call[1];
  if (typeof method !== 'string') throw new ProtocolError('a call without a method');
  if (line !== null && !isPosition(line)) throw new ProtocolError('a call from an impossible line');
  return { method, line, args: call.slice(2) };
}

/** Our hosts wait for the response to a call before they send anything else. */
export function checkLast(type: number, after: number): void {
  if (type === FROM_HOST.call && after > 0) throw new ProtocolError('another frame after a call, before its response');
}

/** The use of a Get that was sent ahead. */
export function checkUsed(text: string): { place: number; line: CallLine; afterMs: number } {
  const [, place, line = '', us] = /^(\d{1,3}),(null|\d{1,10}),(\d{1,6})$/.exec(text) ?? [];
  if (place === undefined) throw new ProtocolError('an impossible use of a value');
  const known = line === 'null' ? null : Number(line);
  if (known !== null && !isPosition(known)) throw new ProtocolError('a use of a value in an impossible line');
  return { place: Number(place), line: known, afterMs: Number(us) / 1_000 };
}

/** Readings of the clock of a recorded run, in ms since 1970. */
export function checkClock(text: string): ClockStep[] {
  return text.split(';').map((step): ClockStep => {
    const [, times = '', ms = ''] = /^([1-9]\d{0,11}),(-?\d{1,16})$/.exec(step) ?? [];
    if (times === '') throw new ProtocolError('an impossible reading of the clock');
    return [Number(times), Number(ms)];
  });
}

/** The locale and the time zone of a realm. */
export function checkPlace(text: string): { locale: string; timeZone: string } {
  const [, locale, timeZone] = /^([A-Za-z\d-]{2,90})\|([\w+/:-]{1,90})$/.exec(text) ?? [];
  if (locale === undefined || timeZone === undefined) throw new ProtocolError('an impossible locale or time zone');
  return { locale, timeZone };
}

export function checkPaths(value: unknown): string[] {
  if (!Array.isArray(value)) throw new ProtocolError('tag paths that are not a list');
  const paths: string[] = value;
  for (const path of paths) if (typeof path !== 'string') throw new ProtocolError('a tag path that is not a text');
  return paths;
}

export function checkWrites(value: unknown): TagWrite[] {
  if (!Array.isArray(value)) throw new ProtocolError('items that are not a list');
  const items: TagWrite[] = value;
  for (const item of items) {
    const { tag, value: written, unfit } = checkMembers(item, ['tag', 'value'], 'unfit');
    if (typeof tag !== 'string') throw new ProtocolError('an item whose tag is not a text');
    if (unfit === undefined) checkDepth(written, MAX_DEPTH);
    else if (written === null) checkUnfit(unfit);
    else throw new ProtocolError('an item with two values');
  }
  return items;
}

function checkUnfit(unfit: unknown): void {
  const [[member, text] = ['', null], ...others] = Object.entries(isJsonObject(unfit) ? unfit : {});
  const isFine = member === 'digits' ? isDigits(text) : ['lost', 'problem'].includes(member) && isText(text);
  if (others.length > 0 || !isFine) throw new ProtocolError('an impossible value of an item');
}

function isDigits(text: unknown): boolean {
  return typeof text === 'string' && /^-?\d+$/.test(text);
}

export function checkRejected(access: unknown, value: unknown): RejectedCall[] {
  if (access !== 'read' && access !== 'write') throw new ProtocolError('a rejection of an unknown access');
  if (!Array.isArray(value) || value.length > MAX_FAILURES) throw new ProtocolError('impossible rejections');
  return value.map((item: unknown) => {
    const { path, reason } = checkMembers(item, ['path', 'reason']);
    if (typeof path !== 'string' || typeof reason !== 'string') throw new ProtocolError('a rejection without reason');
    if (path.length + reason.length > 2 * MAX_REJECTED_TEXT) throw new ProtocolError('a rejection that is too long');
    return { access, path, reason };
  });
}

export function checkScope(diagram: unknown, location: unknown): Scope {
  if (typeof diagram !== 'string' || typeof location !== 'string')
    throw new ProtocolError('a scope that is not a text');
  return scopeOf(diagram, location);
}

export function checkApiOperation(value: unknown): ApiOperation {
  const operation = API_OPERATIONS.find((one) => one === value);
  if (operation === undefined) throw new ProtocolError('an API call of an unknown method');
  return operation;
}

/** Only a payload may be a text in parts: a long one is copied here for other arguments. */
export function checkApiArguments(operation: ApiOperation, value: unknown): PassedArgument[] {
  if (!Array.isArray(value) || value.length > 9) throw new ProtocolError('impossible arguments of an API call');
  return value.map((argument: unknown, at) => {
    if (argument === null) return argument;
    if (isAnyText(argument)) return API_PARAMETERS[operation][at] === 'payload' ? argument : wholeOf(argument);
    const { not } = checkMembers(argument, ['not']);
    if (typeof not !== 'string' || not.length > 20) throw new ProtocolError('an impossible argument of an API call');
    return { not };
  });
}

/** An entry of the console; `length` is that of all its texts, `at` the time of one that was sent late, in ms. */
export function checkConsole(frame: string): Omit<ConsoleEntry, 'at'> & { at?: number; length: number } {
  const late = frame.startsWith('@') ? /^@(\d{1,12}\.\d{3})\|/.exec(frame) : null;
  const given = late === null ? frame : frame.slice(late[0].length);
  const at = late === null ? {} : { at: Number(late[1]) };
  const digit = given.charCodeAt(0) - 48;
  const level = CONSOLE_LEVELS[digit % 5];
  if (level === undefined || digit < 0 || digit > 9) throw new ProtocolError('a console entry with an invalid level');
  if (digit < 5) return { level, text: given.slice(1), length: given.length, ...at };
  const head = /^.([1-9]\d{0,9}|)\|(\d{1,6})\|/.exec(given);
  if (head === null) throw new ProtocolError('a console entry without its head');
  const [{ length: start }, line = '', size = '0'] = head;
  const end = start + Number(size);
  const text = given.slice(end);
  const values = end === start ? {} : { values: checkValues(given.slice(start, end)) };
  if (line !== '' && !isPosition(Number(line))) throw new ProtocolError('a console entry from an impossible line');
  return { level, text, length: given.length, ...at, ...values, ...(line !== '' && { line: Number(line) }) };
}

function checkValues(json: string): ConsoleValue[] {
  const values = parsed(json, 'logged values');
  if (!Array.isArray(values)) throw new ProtocolError('logged values that are not a list');
  return values.map((value: unknown) => checkValue(value, 0));
}

function checkValue(value: unknown, depth: number): ConsoleValue {
  if (typeof value === 'string') return value;
  if (depth > MAX_VALUE_DEPTH) throw new ProtocolError('a logged value that is nested too deeply');
  const { title, members, more } = checkMembers(value, ['title', 'members', 'more']);
  if (typeof title !== 'string' || !Array.isArray(members)) throw new ProtocolError('an impossible logged value');
  return {
    title,
    more: checkCount(more),
    members: members.map((member: unknown) => {
      if (!Array.isArray(member) || member.length !== 2)
        throw new ProtocolError('an impossible member of a logged value');
      const [name, inner]: unknown[] = member;
      if (typeof name !== 'string') throw new ProtocolError('a member of a logged value without a name');
      return [name, checkValue(inner, depth + 1)];
    }),
  };
}

export type CheckedRunEnd = { covered?: string } & (
  | { status: 'ok'; dropped: number; result: Json }
  | Exclude<RunEnd, { status: 'ok' }>
);

/** @param statements how many statements the body counts; 0 if it counts none */
export function checkRunEnd(text: string, statements = 0): CheckedRunEnd {
  return checkedRunEnd(parsed(text, END), statements);
}

/** The same for an end that is parsed already. @param isFlat whether its depth is known to be within MAX_END_DEPTH */
export function checkedRunEnd(end: unknown, statements: number, isFlat = false): CheckedRunEnd {
  if (statements === 0) return checkEnd(end, isFlat);
  const { covered, ...others } = isJsonObject(end) ? end : {};
  // A body that does not compile has none.
  if (covered === undefined) return checkEnd(end, isFlat);
  if (typeof covered !== 'string' || covered.length !== statements || !/^[01]*$/.test(covered))
    throw new ProtocolError('an impossible coverage');
  return { ...checkEnd(others, isFlat), covered };
}

function checkEnd(end: unknown, isFlat: boolean): CheckedRunEnd {
  const status = typeof end === 'object' && end !== null && 'status' in end ? end.status : undefined;
  switch (status) {
    case 'ok': {
      const { dropped, result } = checkMembers(end, ['status', 'dropped', 'result']);
      if (!isFlat) checkDepth(result, MAX_DEPTH);
      return { status, dropped: checkCount(dropped), result };
    }
    case 'error': {
      const { dropped, error } = checkMembers(end, ['status', 'dropped', 'error']);
      return { status, dropped: checkCount(dropped), error: checkError(error) };
    }
    case 'timeout':
    case 'memory': {
      const { dropped } = checkMembers(end, ['status', 'dropped']);
      return { status, dropped: checkCount(dropped) };
    }
    default:
      throw new ProtocolError('an unknown end of a run');
  }
}

export function checkError(value: unknown): RunError {
  const error = checkMembers(value, ['name', 'message', 'line', 'column', 'stack'], 'failures');
  const { name, message, line, column, stack, failures } = error;
  if (!isText(name) || !isText(message)) throw new ProtocolError('an error without name and message');
  if (line !== null && !isPosition(line)) throw new ProtocolError('an error in an impossible line');
  if (column !== null && !isPosition(column)) throw new ProtocolError('an error in an impossible column');
  if (!Array.isArray(stack) || stack.length > MAX_STACK_FRAMES) throw new ProtocolError('an impossible stack');
  return {
    name,
    message,
    line,
    column,
    stack: stack.map(checkFrame),
    ...(failures === undefined ? {} : { failures: checkFailures(failures) }),
  };
}

function checkFrame(value: unknown): StackFrame {
  const { function: name, line, column } = checkMembers(value, ['function', 'line', 'column']);
  if (name !== null && !isText(name)) throw new ProtocolError('a frame of an impossible function');
  if (!isPosition(line) || !isPosition(column)) throw new ProtocolError('a frame in an impossible place');
  return { function: name, line, column };
}

function checkFailures(value: unknown): WriteFailure[] {
  if (!Array.isArray(value) || value.length > MAX_FAILURES) throw new ProtocolError('impossible failures');
  let length = 0;
  return value.map((failure: unknown) => {
    const { tag, reason, index } = checkMembers(failure, ['tag', 'reason'], 'index');
    if (!isText(tag) || !isText(reason)) throw new ProtocolError('a failure without tag and reason');
    length += tag.length + reason.length;
    if (length > MAX_FAILURES_TEXT) throw new ProtocolError('failures that are too long');
    return { tag, reason, ...(index === undefined ? {} : { index: checkCount(index) }) };
  });
}

/** Deeper nesting than a script can have would overflow the stack of later code. */
function checkDepth(value: unknown, room: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (room === 0) throw new ProtocolError('a value that is nested too deeply');
  for (const member of Array.isArray(value) ? value : Object.values(value)) checkDepth(member, room - 1);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_ERROR_TEXT;
}

function isPosition(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_POSITION;
}
