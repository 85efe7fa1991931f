import { isJsonObject, type Json } from '#domain/text/json';
import { excessOf, type JsonExcess } from './json-cost.ts';

/** A host sent something that none of our hosts sends, so it is killed. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}

/** Throws for a text that would take too long to parse; `most` is in the units of JSON_COST. */
export function checkCost(payload: Uint8Array, most: number): void {
  checkExcess(excessOf(payload, most));
}

/** Throws if there is one. */
export function checkExcess(excess: JsonExcess | null): void {
  if (excess === 'depth') throw new ProtocolError('a value that is nested too deeply');
  if (excess === 'blanks') throw new ProtocolError('a message with white space');
  if (excess === 'parts') throw new ProtocolError('a message with more parts than are allowed');
}

/** The parsed text; `what` is its name for people. */
export function parsed(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ProtocolError(`${what} that is not JSON`);
  }
}

/** The object if it has exactly these members, and optionally the other one. */
export function checkMembers<Name extends string, Optional extends string = never>(
  value: unknown,
  names: readonly Name[],
  optional?: Optional,
): Record<Name, Json> & Partial<Record<Optional, Json>> {
  if (!isJsonObject(value)) throw new ProtocolError('a value that is not an object');
  const members = Object.keys(value);
  const allowed: readonly string[] = names;
  const known = members.reduce((count, name) => count + (allowed.includes(name) ? 1 : 0), 0);
  const extra = optional !== undefined && Object.hasOwn(value, optional) ? 1 : 0;
  if (known !== names.length || members.length !== known + extra) throw new ProtocolError('invalid members');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- just checked
  return value as Record<Name, Json> & Partial<Record<Optional, Json>>;
}

export function checkCount(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw new ProtocolError('an impossible count');
  return value;
}
