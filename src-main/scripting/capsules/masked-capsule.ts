import { type Capsule, MAX_MASKED_PLACES } from '#domain/run/capsule';
import type { Steps } from '../../platform/turns.ts';

/** Hides secrets in a text. */
export type MaskText = (text: string) => string;

/** Members whose texts are fixed by the product: a secret that equals one occurs there by chance. */
const FIXED: ReadonlySet<string> = new Set([
  'access',
  'format',
  'hash',
  'kind',
  'level',
  'locale',
  'operation',
  'product',
  'quality',
  'seed',
  'source',
  'startedAt',
  'status',
  'timeZone',
  'type',
]);
/** Their contents come from the plant or the script: any of its members may have a secret. */
const FREE: ReadonlySet<string> = new Set(['before', 'result', 'tagValue', 'value']);

/** Levels of a capsule whose items are masked one by one: `calls` and the lists of its report may be long. */
const LEVELS = 3;

/**
 * A capsule without the secrets that `mask` knows, wherever they occur, and with the places where something was masked. `own`
 * are the places that were masked before. In steps: it may be long.
 */
export function* maskedCapsule(
  capsule: Omit<Capsule, 'hash' | 'masked'>,
  mask: MaskText | null,
  own: readonly string[],
): Steps<Omit<Capsule, 'hash'>> {
  const found = [...own];
  if (mask === null) return { ...capsule, masked: placesOf(found) };
  const body = mask(capsule.script.body.join('\n'));
  // A secret may have several lines.
  const script = { ...capsule.script, body: body.split('\n') };
  if (body !== capsule.script.body.join('\n')) found.push('script.body');
  const masked = yield* walked({ ...capsule, script }, '', false, LEVELS, { mask, found });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same shape: only texts are replaced
  return { ...(masked as Omit<Capsule, 'hash' | 'masked'>), masked: placesOf(found) };
}

function placesOf(found: readonly string[]): Capsule['masked'] {
  const places = [...new Set(found)];
  return { places: places.slice(0, MAX_MASKED_PLACES), more: Math.max(0, places.length - MAX_MASKED_PLACES) };
}

interface Masking {
  mask: MaskText;
  found: string[];
}

/** The same as `walkedNow`, the outer levels in steps. */
function* walked(value: unknown, place: string, isFree: boolean, levels: number, masking: Masking): Steps<unknown> {
  yield;
  if (levels === 0 || typeof value !== 'object' || value === null) return walkedNow(value, place, isFree, masking);
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const [at, item] of value.entries()) {
      items.push(yield* walked(item, `${place}[${at}]`, isFree, levels - 1, masking));
    }
    return items;
  }
  const members = {};
  for (const [name, member] of Object.entries(value)) {
    const own = isFixed(name, isFree)
      ? member
      : yield* walked(member, placeOf(place, name), isFree || FREE.has(name), levels - 1, masking);
    define(members, isFree ? masking.mask(name) : name, own);
  }
  return members;
}

function walkedNow(value: unknown, place: string, isFree: boolean, masking: Masking): unknown {
  if (typeof value === 'string') {
    const masked = masking.mask(value);
    if (masked !== value) masking.found.push(place);
    return masked;
  }
  if (Array.isArray(value)) return value.map((item, at) => walkedNow(item, `${place}[${at}]`, isFree, masking));
  if (typeof value !== 'object' || value === null) return value;
  const members = {};
  for (const [name, member] of Object.entries(value)) {
    const own = isFixed(name, isFree)
      ? member
      : walkedNow(member, placeOf(place, name), isFree || FREE.has(name), masking);
    define(members, isFree ? masking.mask(name) : name, own);
  }
  return members;
}

const isFixed = (name: string, isFree: boolean): boolean => !isFree && FIXED.has(name);
const placeOf = (place: string, name: string): string => (place === '' ? name : `${place}.${name}`);

/** Not by assignment: a member can be named `__proto__`. */
function define(members: object, name: string, value: unknown): void {
  Object.defineProperty(members, name, { value, writable: true, enumerable: true, configurable: true });
}
