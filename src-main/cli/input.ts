import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Argument, Option } from 'commander';
import { InvalidArgumentError } from 'commander';
import { abbreviate } from '#domain/text/abbreviate';
import { exactDouble } from '#domain/text/decimal';
import type { Json } from '#domain/text/json';
import { CAPSULE_FORMAT, MAX_CAPSULE_BYTES } from '#domain/run/capsule';
import { SCRIPT_LIMITS } from '#domain/run/script';
import { grouped } from '#domain/text/grouped';
import { messageOf, TagwrightError } from '../platform/errors.ts';
import type { Io } from './io.ts';

/** A capsule that an instance sent, compressed with gzip in Base64; that of an older one is the text itself. */
export const receivedCapsule = (text: string): Buffer =>
  text.startsWith('{') ? Buffer.from(text) : gunzipSync(Buffer.from(text, 'base64'));

/** An error in the usage of a command: exit code 2. */
export function usage(message: string): TagwrightError {
  return new TagwrightError('BAD_REQUEST', message);
}

/**
 * The whole number that an option has.
 * @throws TagwrightError BAD_REQUEST if it is out of the range
 */
export function whole(option: string, text: string, least: number, most: number): number {
  const value = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw usage(`${option} must be a whole number from ${least} to ${grouped(most)}, not "${text}".`);
}

/** Lets an argument or option have one of these values, in any case; its action gets it as it is spelled here. */
export function oneOf<T extends Argument | Option>(target: T, values: readonly string[]): T {
  target.choices(values);
  target.argParser((text: string) => {
    const value = values.find((one) => one.toLowerCase() === text.toLowerCase());
    if (value === undefined) throw new InvalidArgumentError(`Allowed choices are ${values.join(', ')}.`);
    return value;
  });
  return target;
}

/** The maximum size of a file in bytes, its description, and whether its text may contain a zero byte. */
interface FileLimit {
  bytes: number;
  of: string;
  zeros?: boolean;
}

const READ_AT_ONCE = 262_144;
/** The beginning of a capsule, which is not a script. */
const CAPSULE_START = new RegExp(`^\\s*\\{\\s*"format"\\s*:\\s*"${CAPSULE_FORMAT}"`);

/** Text with this share of zero bytes is UTF-16 without a byte order mark, or not text. */
const TOO_MANY_ZEROS = 1 / 8;

/**
 * The text of a file, or of standard input for `-`: UTF-8, without a byte order mark.
 * @throws TagwrightError BAD_REQUEST with the problem of the file
 */
export async function readText(io: Io, file: string, limit: FileLimit): Promise<string> {
  if (file !== '-') return decode(readBytes(file, limit), `"${file}"`, limit.zeros === true);
  const name = 'standard input';
  const bytes = await io.readStdin(limit.bytes);
  if (bytes.length > limit.bytes) throw tooLarge(name, limit);
  return decode(bytes, name, limit.zeros === true);
}

/**
 * The bytes of a file, a pipe or a device.
 * @throws TagwrightError BAD_REQUEST with the problem of the file
 */
export function readBytes(file: string, limit: FileLimit): Buffer {
  const error = () => tooLarge(`"${file}"`, limit);
  const bytes = boundedBytes(file, limit.bytes, error);
  if (bytes.length > limit.bytes) throw error();
  return bytes;
}

/**
 * The body of a script, read like readText. It may contain a zero byte: JavaScript allows one in texts and comments.
 */
export async function readBody(io: Io, file: string): Promise<string> {
  const body = await readText(io, file, { bytes: SCRIPT_LIMITS.bodyBytes, of: 'the body of a script', zeros: true });
  if (!CAPSULE_START.test(body)) return body;
  const named = file === '-' ? 'standard input' : `"${file}"`;
  throw usage(
    `${named} is a capsule, not the body of a script. Use "tagwright replay" to run it again, or ` +
      '"tagwright failures --capsule" to try failures.',
  );
}

/**
 * The bytes of a capsule. A file that is too large is not read.
 * @throws TagwrightError BAD_REQUEST
 */
export async function readCapsuleFile(io: Io, file: string): Promise<Buffer> {
  if (file === '-') return io.readStdin(MAX_CAPSULE_BYTES);
  const bytes = boundedBytes(file, MAX_CAPSULE_BYTES, (size) => capsuleTooLarge(file, size));
  // The size of a pipe or a device is only known at its end.
  if (bytes.length > MAX_CAPSULE_BYTES) throw capsuleTooLarge(file, null);
  return bytes;
}

function capsuleTooLarge(file: string, size: number | null): TagwrightError {
  const most = grouped(MAX_CAPSULE_BYTES);
  const problem =
    size === null
      ? `a capsule has at most ${most} bytes`
      : `it has ${grouped(size)} bytes, and a capsule at most ${most}`;
  return usage(`"${file}" is too large: ${problem}.`);
}

/** The bytes of a file, a pipe or a device; one byte more than `most` if there are more. */
function boundedBytes(file: string, most: number, tooLargeOf: (size: number) => TagwrightError): Buffer {
  try {
    const stats = statSync(file);
    if (stats.isDirectory()) throw usage(`"${file}" is a folder. Name a file.`);
    if (stats.size > most) throw tooLargeOf(stats.size);
    const opened = openSync(file, 'r');
    try {
      return firstBytes(opened, most + 1);
    } finally {
      closeSync(opened);
    }
  } catch (thrown) {
    if (thrown instanceof TagwrightError) throw thrown;
    const missing = thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT';
    throw usage(missing ? `There is no file "${file}".` : `"${file}" cannot be read: ${messageOf(thrown)}`);
  }
}

/** Not `readFileSync`: a device such as /dev/zero has no end. */
function firstBytes(opened: number, most: number): Buffer {
  const parts: Buffer[] = [];
  let size = 0;
  while (size < most) {
    const part = Buffer.allocUnsafe(Math.min(READ_AT_ONCE, most - size));
    const read = readSync(opened, part);
    if (read === 0) break;
    parts.push(part.subarray(0, read));
    size += read;
  }
  return Buffer.concat(parts);
}

function tooLarge(name: string, { bytes, of }: FileLimit): TagwrightError {
  return usage(`${name} is too large: ${of} has at most ${grouped(bytes)} bytes.`);
}

function decode(bytes: Buffer, name: string, zeros: boolean): string {
  const notText = (why: string) => usage(`${name} is not text in UTF-8 (${why}). Save it as UTF-8 and try again.`);
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    throw notText('it is UTF-16');
  }
  const count = bytes.reduce((sum, byte) => sum + (byte === 0 ? 1 : 0), 0);
  if (count > bytes.length * (zeros ? TOO_MANY_ZEROS : 0)) {
    const zeroBytes = count === 1 ? 'a zero byte' : `${grouped(count)} zero bytes`;
    throw usage(`${name} is not text: it contains ${zeroBytes}. Save it as text in UTF-8 and try again.`);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw notText('it contains invalid bytes');
  }
}

/**
 * A JSON value on the command line.
 * @throws TagwrightError BAD_REQUEST with the place of a syntax error, and how shells treat quotes; or what cannot be
 * stored exactly
 */
export function parseJson(text: string, what: string): Json {
  const lost = new Set<string>();
  try {
    const value: Json = JSON.parse(text, (member: string, part: Json, written?: { source?: string }) => {
      const source = written?.source;
      if (member === '__proto__') lost.add('a member cannot be called "__proto__"');
      if (typeof part === 'number' && source !== undefined && exactDouble(source) === null) {
        lost.add(
          `64 bits cannot represent the number ${abbreviate(source, 60)}; round it, or write it as text in quotes`,
        );
      }
      return part;
    });
    if (lost.size > 0) throw usage(`${what} cannot be stored exactly: ${[...lost].slice(0, 3).join('; ')}.`);
    return value;
  } catch (thrown) {
    if (thrown instanceof TagwrightError) throw thrown;
    const hint =
      process.platform === 'win32'
        ? 'In cmd.exe write quotes inside as \\": "{\\"a\\":1}". '
        : `Put JSON in single quotes, so that the shell keeps its double quotes: '{"a":1}'. `;
    throw usage(
      `${what} is not JSON: ${messageOf(thrown)}\n  ${text.length > 200 ? `${text.slice(0, 200)}…` : text}\n` +
        `${hint}A text needs its quotes too: '"${/^[\w .-]{1,30}$/.test(text) ? text : 'text'}"'.`,
    );
  }
}

/** `PATH=JSON` at its first equals sign. */
export function parseAssignment(text: string): { name: string; value: Json } {
  const at = text.indexOf('=');
  if (at < 1) throw usage(`"${text}" is not an assignment. Write NAME=JSON, as in Plant.Line.Speed=12.5`);
  const name = text.slice(0, at);
  return { name, value: parseJson(text.slice(at + 1), `The value of ${name}`) };
}

/** `Group/Name`; neither may contain a slash, so the first one separates them. */
export function parseScriptName(text: string): { group: string; name: string } {
  const at = text.indexOf('/');
  const [group, name] = [text.slice(0, at), text.slice(at + 1)];
  if (at < 1 || name === '')
    throw usage(`"${text}" is not a script name. Write "Group/Name", as listed by "scripts list".`);
  return { group, name };
}
