import { errorJson, framesOf } from '../errors.ts';
import {
  apply,
  EngineError,
  getOwnPropertyDescriptor,
  hasOwn,
  isError,
  own,
  PrimitiveError,
  PrimitiveString,
} from '../primordials.ts';
import { inheritedData } from './data-only.ts';
import { shortText } from './short-text.ts';
import { isProxy } from './tracked-proxies.ts';

const MAX_TEXT = 2_000;

/** The engine's own getter of a stack, if it is one. */
const stackGetter = getOwnPropertyDescriptor(new PrimitiveError(), 'stack')?.get as unknown;

/** What was thrown, as the JSON text of a RunError. Runs no code of the author, unlike the report at the end of a run. */
export function thrownData(thrown: unknown): string {
  if (typeof thrown === 'string') return errorJson('Error', thrown);
  if (typeof thrown !== 'object' || thrown === null || isProxy(thrown) || !looksLikeError(thrown)) {
    return errorJson('Error', `the script threw ${shortText(thrown, MAX_TEXT)}, which is not an Error`);
  }
  const name = inheritedData(thrown, 'name');
  const message = inheritedData(thrown, 'message');
  return errorJson(
    typeof name === 'string' ? name : 'Error',
    message === undefined || message === null ? '' : textOf(message),
    framesOf(stackOf(thrown)),
  );
}

const textOf = (message: unknown): string =>
  typeof message === 'object' || typeof message === 'function'
    ? shortText(message, MAX_TEXT)
    : PrimitiveString(message);

const looksLikeError = (thrown: object): boolean =>
  isError(thrown) ||
  (typeof inheritedData(thrown, 'message') === 'string' && typeof inheritedData(thrown, 'stack') === 'string');

/** The stack; '' if the script's own function would write it. */
function stackOf(error: object): string {
  const found = getOwnPropertyDescriptor(error, 'stack');
  if (found === undefined) return '';
  const hook = inheritedData(EngineError, 'prepareStackTrace');
  if (typeof hook === 'function') return '';
  const value: unknown = hasOwn(found, 'value') ? found.value : undefined;
  if (typeof value === 'string') return value;
  const getter: unknown = own(found, 'get');
  if (getter === undefined || getter !== stackGetter) return '';
  const text: unknown = apply(getter as (this: object) => unknown, error, []);
  return typeof text === 'string' ? text : '';
}
