import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { HeaderPair } from '#domain/mock/api-call';
import type { MockAnswer } from '#domain/mock/mock';
import type { HttpRequest } from '../http/build-request.ts';
import { wholeOf } from '../../platform/long-texts/text-in-parts.ts';
import { atOnce } from '../../platform/turns.ts';
import { pause } from '../../platform/pause.ts';
import { encodedBody } from '../http/encode-body.ts';
import { headerOf } from '../http/header-sets.ts';
import { HttpFailure } from '../http/http-failure.ts';
import { InvalidArgument } from '../invalid-argument.ts';
import type { TemplateValues } from './fill-template.ts';
import { fillJsonTemplate, fillTemplate } from './fill-template.ts';
import type { MatchedMock } from './match-mock.ts';
import type { TakenAnswer } from './mock-book.ts';
import type { MockFiles } from './mock-files.ts';

export interface MockResponse {
  status: number;
  statusText: string;
  headers: HeaderPair[];
  body: Buffer;
}

export interface MockRules {
  timeoutMs: number;
  maxBytes: number;
}

/**
 * The response of a mock, after its delay. Throws HttpFailure for its fault, like that of a remote server, and
 * `Cancelled` as soon as the signal aborts.
 */
export async function respondWithMock(
  { answer, hits }: TakenAnswer,
  path: MatchedMock['path'],
  request: HttpRequest,
  files: MockFiles,
  rules: MockRules,
  signal: AbortSignal,
): Promise<MockResponse> {
  const { host } = request.url;
  const endless = answer.fault === 'timeout' && answer.delayMs === 0;
  const wait = endless ? rules.timeoutMs : Math.min(answer.delayMs, rules.timeoutMs);
  if (wait > 0) await pause(wait, signal);
  if (signal.aborted) throw new HttpFailure('Cancelled', 'the run ended before the response arrived');
  if (answer.fault !== null) throw faultOf(answer.fault, host, rules.timeoutMs);
  if (answer.delayMs >= rules.timeoutMs) throw faultOf('timeout', host, rules.timeoutMs);
  const values = templateValues(request, path, hits, rules.maxBytes);
  // Data of a call may contain line breaks, which no header allows.
  const fill = (text: string) =>
    answer.template ? fillTemplate(text, values, false).replaceAll(/\p{Cc}+/gu, ' ') : text;
  const headers = answer.headers.map(([name, value]): HeaderPair => [name, fill(value)]);
  const body = await bodyOf(answer, headers, values, files, rules.maxBytes);
  if (body.bytes.length > rules.maxBytes) throw tooLarge();
  if (body.type !== null && headerOf(headers, 'content-type') === null) headers.push(['content-type', body.type]);
  return { status: answer.status, statusText: STATUS_CODES[answer.status] ?? '', headers, body: body.bytes };
}

async function bodyOf(
  { body, template }: MockAnswer,
  headers: readonly HeaderPair[],
  values: TemplateValues,
  files: MockFiles,
  maxBytes: number,
) {
  switch (body.kind) {
    case 'none':
      return { bytes: Buffer.alloc(0), type: null };
    case 'text': {
      const quoted = /^\s*[[{]/.test(body.text);
      const text = template ? fillTemplate(body.text, values, quoted) : body.text;
      return { bytes: encoded(text, headers), type: 'text/plain; charset=utf-8' };
    }
    case 'json': {
      const json = template ? fillJsonTemplate(body.json, values) : body.json;
      return { bytes: encoded(JSON.stringify(json), headers), type: 'application/json' };
    }
    case 'base64':
      return { bytes: Buffer.from(body.base64, 'base64'), type: 'application/octet-stream' };
    default:
      return { bytes: await files.read(body.file, maxBytes), type: 'application/octet-stream' };
  }
}

/** In the charset that the mock names. */
function encoded(text: string, headers: readonly HeaderPair[]): Buffer {
  try {
    return Buffer.from(atOnce(encodedBody(text, headers, 'the mock')));
  } catch (thrown) {
    throw thrown instanceof InvalidArgument ? new HttpFailure('MockError', thrown.message) : thrown;
  }
}

function tooLarge(): HttpFailure {
  const message = 'the response of the mock is larger than setting api.maxResponseMb allows';
  return new HttpFailure('ResponseTooLarge', message);
}

/** @param room maximum size of the response in bytes */
function templateValues(
  { method, url, headers, body }: HttpRequest,
  path: Record<string, string>,
  hits: number,
  room: number,
) {
  let left = room;
  const values: TemplateValues = {
    method,
    url,
    path,
    header: (name) => headerOf(headers, name),
    body: body && wholeOf(body),
    hits,
    now: Date.now(),
    uuid: () => randomUUID(),
    put: (length) => {
      left -= length;
      if (left < 0) throw tooLarge();
    },
  };
  return values;
}

/** The same names as in a live call. */
function faultOf(fault: NonNullable<MockAnswer['fault']>, host: string, timeoutMs: number): HttpFailure {
  switch (fault) {
    case 'refused':
      return new HttpFailure('ConnectionRefused', `${host} refuses connections (fault of a mock)`);
    case 'timeout':
      return new HttpFailure('Timeout', `${host} did not respond within ${timeoutMs} ms (fault of a mock)`);
    case 'badTls':
      return new HttpFailure('TlsError', `the certificate of ${host} is not trusted (fault of a mock)`);
    case 'reset':
      return new HttpFailure('ConnectionReset', `${host} reset the connection (fault of a mock)`);
    default:
      return new HttpFailure(
        'ConnectionReset',
        `${host} ended the connection in the middle of its response (fault of a mock)`,
      );
  }
}
