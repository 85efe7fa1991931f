import { type Capsule, MAX_MASKED_PLACES, type RecordedApiCall, type RecordedCall } from '#domain/run/capsule';
import { maskedApi } from '../../outbound/recorded-call.ts';
import { credentialsIn } from '../../outbound/secrets/masking.ts';
import { MASK, textMask } from '../../outbound/secrets/secret-mask.ts';
import { numberOf } from '../../outbound/secrets/secret-numbers.ts';
import { lengthOfCall, type UnmaskedCall } from './kept-calls.ts';

/** A capsule without its hash. */
export type CapsuleContent = Omit<Capsule, 'hash'>;

/** What a run saw, before secrets are masked. JSON, except for the bodies. */
export interface UnmaskedRun {
  content: Omit<CapsuleContent, 'calls' | 'masked'> & { calls: (RecordedCall | UnmaskedCall)[] };
  /** The bytes of the unmasked calls that have a body, in order; then those of the texts in `unread`. */
  bodies: readonly Uint8Array[];
  /** Texts of calls of other runs of the tree, which may have secrets, by their charsets. */
  unread: readonly string[];
  /** The values of all named secrets, and other secrets that the script saw. */
  secrets: readonly string[];
  /** Places that were masked already. */
  masked: readonly string[];
  /** How many characters the unmasked calls may have. */
  room: number;
}

/** Hides secrets in a text. */
type MaskText = (text: string) => string;
/** Whether a number is a secret. */
type IsSecret = (value: number) => boolean;

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

/** The content of the capsule of a run, without secrets; null if it got too much. */
export function maskedContent({ content, bodies, unread, secrets, masked, room }: UnmaskedRun): CapsuleContent | null {
  const known = new Set(secrets);
  const places = [...masked];
  let [left, body] = [room, 0];
  const calls: RecordedCall[] = [];
  for (const call of content.calls) {
    if (call.kind !== 'unmasked') {
      calls.push(call);
      continue;
    }
    const { unmasked, exchange, ...begun } = call;
    const api = maskedApi(unmasked, unmasked.body === null ? null : (bodies[body++] ?? null));
    for (const secret of api.secrets) known.add(secret);
    for (const part of api.masked) places.push(`calls[${calls.length}].${part}`);
    const { args, response } = api;
    const recorded: RecordedApiCall = { ...begun, kind: 'api', args, response, exchange };
    left -= lengthOfCall(recorded, left);
    if (left < 0) return null;
    calls.push(recorded);
  }
  for (const charset of unread) {
    const text = new TextDecoder(charset).decode(bodies[body++]);
    for (const secret of credentialsIn([], '', text)) known.add(secret);
  }
  const numbers = new Set([...known].map(numberOf));
  return maskedCapsule({ ...content, calls }, textMask(known), places, (value) => numbers.has(value));
}

/**
 * A capsule without the secrets that `mask` knows, wherever they occur, and with the places where something was masked. `own`
 * are the places that were masked before.
 */
export function maskedCapsule(
  capsule: Omit<CapsuleContent, 'masked'>,
  mask: MaskText | null,
  own: readonly string[],
  isSecret: IsSecret = () => false,
): CapsuleContent {
  const found = [...own];
  if (mask === null) return { ...capsule, masked: placesOf(found) };
  const body = mask(capsule.script.body.join('\n'));
  // A secret may have several lines.
  const script = { ...capsule.script, body: body.split('\n') };
  if (body !== capsule.script.body.join('\n')) found.push('script.body');
  const masked = walked({ ...capsule, script }, '', false, { mask, isSecret, found });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same shape: only texts and values of tags are replaced
  return { ...(masked as Omit<CapsuleContent, 'masked'>), masked: placesOf(found) };
}

function placesOf(found: readonly string[]): Capsule['masked'] {
  const places = [...new Set(found)];
  return { places: places.slice(0, MAX_MASKED_PLACES), more: Math.max(0, places.length - MAX_MASKED_PLACES) };
}

interface Masking {
  mask: MaskText;
  isSecret: IsSecret;
  found: string[];
}

function walked(value: unknown, place: string, isFree: boolean, masking: Masking): unknown {
  if (typeof value === 'string') {
    const masked = masking.mask(value);
    if (masked !== value) masking.found.push(place);
    return masked;
  }
  // Other numbers are times, lines and counts.
  if (typeof value === 'number' && isFree && masking.isSecret(value)) {
    masking.found.push(place);
    return MASK;
  }
  if (Array.isArray(value)) return value.map((item, at) => walked(item, `${place}[${at}]`, isFree, masking));
  if (typeof value !== 'object' || value === null) return value;
  const members = {};
  for (const [name, member] of Object.entries(value)) {
    const own = isFixed(name, isFree)
      ? member
      : walked(member, placeOf(place, name), isFree || FREE.has(name), masking);
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
