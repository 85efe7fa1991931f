import { isJsonObject, type JsonObject } from '#domain/text/json';
import type { WriteFailure } from '#domain/tag/tag';
import { TagwrightError, messageOf } from '../../../platform/errors.ts';
import { MAX_ERROR_TEXT, MAX_FAILURES } from '../protocol/limits.ts';
import type { CallResponse } from '../protocol/messages.ts';

/**
 * Images and long texts are sent as bytes: an image as Base64 in JSON would double the time of such a response, and the
 * JSON of a long text would occupy main for 100 ms.
 */
export function encodedResponse(response: CallResponse): { text: string; bytes: Buffer | null } {
  try {
    if ('value' in response && typeof response.value === 'object' && response.value !== null) {
      const { value } = response;
      if (hasImage(value)) {
        const { image, ...rest } = value;
        return { text: JSON.stringify({ value: { ...rest, hasImage: true } }), bytes: bufferOf(image) };
      }
      if (hasText(value)) {
        const { text, ...rest } = value;
        return { text: JSON.stringify({ value: { ...rest, charset: text.charset } }), bytes: bufferOf(text.bytes) };
      }
    }
    return { text: JSON.stringify(response), bytes: null };
  } catch (thrown) {
    return { text: JSON.stringify({ error: callError(thrown) }), bytes: null };
  }
}

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

const hasImage = (value: object): value is { image: Uint8Array } =>
  'image' in value && value.image instanceof Uint8Array;

function hasText(value: object): value is { text: { bytes: Uint8Array; charset: string } } {
  const text = 'text' in value ? value.text : null;
  return typeof text === 'object' && text !== null && 'bytes' in text && text.bytes instanceof Uint8Array;
}

/** How a script sees an error of main: never with a stack. */
export function callError(thrown: unknown): { message: string; failures?: WriteFailure[] } {
  const message = messageOf(thrown).slice(0, MAX_ERROR_TEXT);
  const failures = thrown instanceof TagwrightError ? thrown.data['failures'] : undefined;
  if (!Array.isArray(failures)) return { message };
  return { message, failures: failures.slice(0, MAX_FAILURES).filter(isJsonObject).map(writeFailure) };
}

function writeFailure({ tag, reason, index }: JsonObject): WriteFailure {
  return {
    tag: typeof tag === 'string' ? tag : '',
    reason: typeof reason === 'string' ? reason : '',
    ...(typeof index === 'number' && { index }),
  };
}
