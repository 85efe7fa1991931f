import { createHash } from 'node:crypto';
import { capsule as capsuleSchema } from '#contract/texts/capsule';
import { type Capsule, CAPSULE_FORMAT, CAPSULE_VERSION, MAX_CAPSULE_BYTES } from '#domain/run/capsule';
import { canonicalJson } from '#domain/text/canonical-json';
import { grouped } from '#domain/text/grouped';
import { isJsonObject, type Json, type JsonObject, parseJson } from '#domain/text/json';
import { messageOf, TagwrightError } from '../../platform/errors.ts';
import { PLAIN } from '../../platform/plain-words.ts';
import { faultInText, placeOfMember, placeText, placeWithoutValue } from './json-places.ts';

/** A capsule that was read, and whether it is as it was written. */
export interface ReadCapsule {
  capsule: Capsule;
  /** Its content has the hash that it names. */
  intact: boolean;
}

/** The text of a capsule: JSON that people can read, with a line for each call and each entry of a list. */
export function capsuleText(capsule: Omit<Capsule, 'hash'>): string {
  const { format, version, ...others } = capsule;
  const whole = { format, version, hash: hashOf(capsule), ...others };
  return `${laidOut(whole, 0)}\n`;
}

const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** The hash of a capsule without its member `hash`. */
const hashOf = (content: object): string =>
  `sha256:${createHash('sha256').update(canonicalJson(content)).digest('hex')}`;

/** Members are on lines of their own up to the third level, and each item of a list is one line. */
const LEVELS = 3;

function laidOut(value: unknown, level: number): string {
  const margin = '  '.repeat(level + 1);
  const end = `\n${'  '.repeat(level)}`;
  if (Array.isArray(value)) {
    if (value.length === 0 || level === 0) return JSON.stringify(value);
    return `[\n${value.map((item) => margin + JSON.stringify(item)).join(',\n')}${end}]`;
  }
  if (typeof value !== 'object' || value === null || level >= LEVELS) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => `${margin}${JSON.stringify(name)}: ${laidOut(member, level + 1)}`);
  return members.length === 0 ? '{}' : `{\n${members.join(',\n')}${end}}`;
}

/**
 * Reads the text of a capsule. It may be damaged, hand-edited or hostile: its size, nesting and parts are checked before it
 * is parsed.
 * @throws TagwrightError BAD_REQUEST with the position and the reason
 */
export function readCapsule(file: Buffer): ReadCapsule {
  if (file.length > MAX_CAPSULE_BYTES) {
    throw unreadable(`it has ${grouped(file.length)} bytes, but at most ${limitText} are allowed`);
  }
  // Some editors add a mark, which the decoder drops: places in the text and in the bytes would differ.
  const bytes = file.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
    ? file.subarray(BYTE_ORDER_MARK.length)
    : file;
  const fault = faultInText(bytes);
  if (fault) throw unreadable(`${fault.reason}, ${placeText(bytes, fault.at)}`);
  const value = parsed(bytes);
  if (!isJsonObject(value) || value['format'] !== CAPSULE_FORMAT) {
    throw unreadable(`it is not a capsule: its member "format" is not "${CAPSULE_FORMAT}"`);
  }
  if (value['version'] !== CAPSULE_VERSION) throw otherVersion(value);
  const checked = capsuleSchema().safeParse(value, PLAIN);
  if (!checked.success) {
    const [issue = { path: [], message: 'it has an unknown form' }] = checked.error.issues;
    const path = issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part));
    const at = placeOfMember(bytes, path);
    throw unreadable(`${pathText(path)}: ${issue.message}, ${placeText(bytes, at)}`);
  }
  // The hash is that of the text, not of what the schema makes of it.
  const { hash, ...content } = value;
  // The schema only checks: it returns members in another order.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- just checked
  return { capsule: value as unknown as Capsule, intact: hash === hashOf(content) };
}

const limitText = `${grouped(MAX_CAPSULE_BYTES)} (${MAX_CAPSULE_BYTES / 1_048_576} MB)`;

function parsed(bytes: Buffer): Json {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw unreadable('it is not text in UTF-8');
  }
  try {
    return parseJson(text);
  } catch (thrown) {
    const message = messageOf(thrown);
    const [, position] = /at position (\d+)/.exec(message) ?? [];
    const at = position === undefined ? placeWithoutValue(bytes) : Buffer.byteLength(text.slice(0, Number(position)));
    // An editor may have added a line feed to the part of a capsule.
    const isCut = bytes.toString('utf8', at).trim() === '';
    const reason = isCut
      ? 'the text ends early; the file may be truncated'
      : message.replace(/ (?:in JSON )?at position.*$/s, '').replace(/, (?:\.{3})?"[^]*is not valid JSON$/, '');
    throw unreadable(`it is not JSON: ${reason}, ${placeText(bytes, at)}`);
  }
}

function otherVersion({ version, product }: JsonObject): TagwrightError {
  const by = typeof product === 'string' ? ` by Tagwright ${product.slice(0, 100)}` : '';
  const named = typeof version === 'number' ? `version ${version}` : 'an unknown version';
  return unreadable(`it was written in ${named} of the format${by}; this Tagwright reads version ${CAPSULE_VERSION}`);
}

function pathText(path: readonly (string | number)[]): string {
  if (path.length === 0) return 'the capsule';
  return path.map((part, at) => (typeof part === 'number' ? `[${part}]` : at === 0 ? part : `.${part}`)).join('');
}

function unreadable(reason: string): TagwrightError {
  return new TagwrightError('BAD_REQUEST', `The capsule cannot be read: ${reason}.`);
}
