import { type Capsule, MAX_MASKED_PLACES } from '#domain/run/capsule';

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

/**
 * A capsule without the secrets that `mask` knows, wherever they occur, and with the places where something was masked. `own`
 * are the places that were masked before.
 */
export function maskedCapsule(
  capsule: Omit<Capsule, 'hash' | 'masked'>,
  mask: MaskText | null,
  own: readonly string[],
): Omit<Capsule, 'hash'> {
  const found = [...own];
  if (mask === null) return { ...capsule, masked: placesOf(found) };
  const body = mask(capsule.script.body.join('\n'));
  // A secret may have several lines.
  const script = { ...capsule.script, body: body.split('\n') };
  if (body !== capsule.script.body.join('\n')) found.push('script.body');
  const masked = walked({ ...capsule, script }, '', false, mask, found);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same shape: only texts are replaced
  return { ...(masked as Omit<Capsule, 'hash' | 'masked'>), masked: placesOf(found) };
}

function placesOf(found: readonly string[]): Capsule['masked'] {
  const places = [...new Set(found)];
  return { places: places.slice(0, MAX_MASKED_PLACES), more: Math.max(0, places.length - MAX_MASKED_PLACES) };
}

function walked(value: unknown, place: string, isFree: boolean, mask: MaskText, found: string[]): unknown {
  if (typeof value === 'string') {
    const masked = mask(value);
    if (masked !== value) found.push(place);
    return masked;
  }
  if (Array.isArray(value)) return value.map((item, at) => walked(item, `${place}[${at}]`, isFree, mask, found));
  if (typeof value !== 'object' || value === null) return value;
  const members = {};
  for (const [name, member] of Object.entries(value)) {
    const at = place === '' ? name : `${place}.${name}`;
    const shown = isFree ? mask(name) : name;
    const own = !isFree && FIXED.has(name) ? member : walked(member, at, isFree || FREE.has(name), mask, found);
    Object.defineProperty(members, shown, { value: own, writable: true, enumerable: true, configurable: true });
  }
  return members;
}
