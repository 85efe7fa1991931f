import type { ApiResponse, ApiExchange, ApiOperation } from '#domain/mock/api-call';
import type { PushMessage, PushOutcome } from '#domain/event/webhook';
import type { Settings } from '#domain/workspace/settings';
import type { Clock } from '../platform/clock.ts';
import { isText, type PassedArgument } from '../platform/long-texts/text-in-parts.ts';
import { inTurns, type Steps } from '../platform/turns.ts';
import type { HttpRequest } from './http/build-request.ts';
import { buildRequest } from './http/build-request.ts';
import type { CallResponses } from './call-responses.ts';
import type { CallLog } from './call-log.ts';
import { Connections } from './http/connections.ts';
import { describeMessage } from './described-message.ts';
import type { EndedCall, Progress, Response } from './ended-call.ts';
import { completedCall, failedCall, invalidCall } from './ended-call.ts';
import { isListed } from './http/host-list.ts';
import { HttpFailure } from './http/http-failure.ts';
import { InvalidArgument } from './invalid-argument.ts';
import { hideInWrongUrl, maskUrl, maskBody } from './secrets/masking.ts';
import { LongBody } from './mocks/match-body.ts';
import { respondWithMock } from './mocks/mock-response.ts';
import type { MatchedMock } from './mocks/match-mock.ts';
import { FreshSequences } from './mocks/fresh-sequences.ts';
import type { CountedMocks, MockBook, MockSource } from './mocks/mock-book.ts';
import type { MockFiles } from './mocks/mock-files.ts';
import { Recorder } from './mocks/recording/recorder.ts';
import { type LongApi, type RecordedApi, recordedApi, secretsOfCall } from './recorded-call.ts';
import { type SecretLookup, usesSecrets } from './placeholders.ts';
import type { CallSecrets, KnownSecrets } from './secrets/run-secrets.ts';
import { SecretMask } from './secrets/secret-mask.ts';
import type { SecretVault } from './secrets/secret-vault.ts';
import { SentSecrets } from './secrets/sent-secrets.ts';
import { headerOf } from './http/header-sets.ts';

const NO_SECRETS = new SecretMask([]);

interface ApiCall {
  operation: ApiOperation;
  args: readonly PassedArgument[];
  /** A dry run only reaches mocks. */
  dryRun: boolean;
  /** The tag whose script makes the call; '' for none. */
  tag: string;
  /** The number of the run in the journal, if it has one, and the line of the call. */
  run?: number;
  line?: number | null;
  /** Aborts when the run ends, for whatever reason. */
  signal: AbortSignal;
  /** Mocks that replace those of the workspace. */
  book?: MockSource;
  /** Whether a capsule records it. */
  recorded?: boolean;
  /** Further secrets that nothing may show, such as tokens of earlier responses; absent outside of a run. */
  known?: KnownSecrets;
  /** Called with the response at once; it is described and logged while the script continues. */
  onResult?(result: ApiResponse): void;
}

interface ApiOutcome {
  result: ApiResponse;
  /** Masked. */
  exchange: ApiExchange;
  /** Its number in the call log. */
  logged: number;
  /** Only if it is recorded. */
  recorded?: RecordedApi | LongApi;
  /** The secrets that the script used or got. */
  secrets: () => CallSecrets;
}

interface ApiServiceParts {
  settings: { get(): Settings; onChange(listener: (settings: Settings) => void): () => void };
  vault: SecretVault;
  book: MockBook;
  files: MockFiles;
  log: CallLog;
  responses: CallResponses;
  /** The values of all named secrets, and the secrets in settings: no recorded mock has one. */
  hidden: () => string[];
  clock: Clock;
  /** Receives internal errors of Tagwright. */
  fault: (where: string, thrown: unknown) => void;
}

/** Makes the calls of `ApiValueManager`: to mocks or to remote servers, depending on the settings. Never throws. */
export class ApiService {
  readonly #parts: ApiServiceParts;
  readonly #sent: SentSecrets;
  readonly #connections: Connections;
  readonly #recorder: Recorder;

  constructor(parts: ApiServiceParts) {
    this.#parts = parts;
    this.#sent = new SentSecrets(parts.vault);
    this.#connections = new Connections({ ...parts, sent: this.#sent });
    this.#recorder = new Recorder(parts);
  }

  /** The calls of one dry run: sequences of responses start with their first one. */
  fresh(book: CountedMocks = this.#parts.book): Pick<ApiService, 'call'> {
    const own = new FreshSequences(book);
    return { call: (call) => this.call({ ...call, book: own }) };
  }

  /** Ends the calls in progress, and saves the recorded mocks of the others. */
  async close(): Promise<void> {
    await this.#connections.close();
    await this.#recorder.close();
  }

  /** The response for the script, and the public form of the call, which is also logged. */
  async call(call: ApiCall): Promise<ApiOutcome> {
    const started = performance.now();
    const at = this.#parts.clock.iso();
    const built = await this.#shown(call);
    const ended = built instanceof Error ? endedEarly(built) : await this.#ended(call, built);
    const request = built instanceof Error ? null : built;
    const { mask, response, source, mock, error, reason, result } = ended;
    const ms = Math.round((performance.now() - started) * 1_000) / 1_000;
    if (call.onResult !== undefined) {
      call.onResult(result);
      await nextTick();
    }
    if (call.known?.hasUnread) await call.known.read();
    const shown = call.known?.shownWith(mask) ?? mask;
    const exchange: ApiExchange = {
      operation: call.operation,
      method: request?.method ?? '',
      url: (request === null ? shown.text(urlIn(call)) : maskUrl(request.url.href, shown)).slice(0, 4_096),
      statusCode: result.statusCode,
      ms,
      source,
      mock,
      error,
      ...(reason !== null && { reason: maskBody(reason, shown).slice(0, MAX_REASON) }),
      request: describeMessage(request?.headers ?? [], request?.body ?? null, shown, request?.encoded),
      response: response === null ? null : describeMessage(response.headers, response.body, shown),
    };
    const { tag, dryRun, run, line } = call;
    const caller = { tag, dryRun, ...(run !== undefined && { run }), ...(typeof line === 'number' && { line }) };
    const seq = this.#parts.log.add({ ...exchange, at, ...caller });
    if (request !== null) {
      const kept = call.known?.united(mask) ?? mask;
      this.#parts.responses.add(seq, { request: { ...request, encoded: undefined }, response, error, mask: kept });
    }
    const recorded = call.recorded ? recordedApi(call, request, ended) : undefined;
    const secrets = () =>
      recorded && 'secrets' in recorded
        ? { values: recorded.secrets, unread: [] }
        : secretsOfCall(call, request, ended);
    return { result, exchange, logged: seq, secrets, ...(recorded && { recorded }) };
  }

  /**
   * Posts a message of Tagwright itself, to the hosts and through the connections of API calls, but never to a mock. A
   * redirect is the response; of a long body, the beginning is read. Never throws.
   */
  async push({ url, headers, body }: PushMessage, timeoutMs: number, signal: AbortSignal): Promise<PushOutcome> {
    try {
      const settings = this.#parts.settings.get();
      const http = await this.#connections.client(settings);
      const request: HttpRequest = {
        method: 'POST',
        url: new URL(url),
        headers,
        body,
        // It follows no redirect.
        bodyIsSecret: false,
        secrets: [],
        named: [],
      };
      const rules = {
        ...rulesOf(settings),
        timeoutMs: Math.min(timeoutMs, settings['api.timeoutMs']),
        maxRedirects: 0,
        maxBytes: PUSH_RESPONSE,
        cut: true,
      };
      const response = await http.send(request, rules, signal);
      const message = describeMessage(response.headers, response.body, this.#sent.mask);
      const retryAfter = headerOf(response.headers, 'retry-after');
      return { response: { status: response.status, retryAfter, message }, error: null };
    } catch (thrown) {
      if (thrown instanceof HttpFailure) return { response: null, error: `${thrown.name}: ${thrown.message}` };
      this.#parts.fault('posting a message', thrown);
      return { response: null, error: 'NetworkError: the call failed' };
    }
  }

  /** The request with the placeholders of secrets: what mocks and logs see. */
  async #shown(call: ApiCall): Promise<HttpRequest | InvalidArgument | HttpFailure> {
    try {
      return await this.#built(call, null);
    } catch (thrown) {
      if (thrown instanceof InvalidArgument || thrown instanceof HttpFailure) return thrown;
      this.#parts.fault('building an API call', thrown);
      return new InvalidArgument('invalid arguments of an API call');
    }
  }

  /** @param secrets looks up the values of secrets; null leaves their placeholders */
  #built({ operation, args, signal }: ApiCall, secrets: SecretLookup | null): Promise<HttpRequest> {
    return beforeSending(buildRequest(operation, args, { keyHeader: (url) => this.#keyHeader(url), secrets }), signal);
  }

  async #ended(call: ApiCall, shown: HttpRequest): Promise<EndedCall> {
    const progress: Progress = { source: 'none', mock: null, mask: new SecretMask(shown.secrets) };
    try {
      const settings = this.#parts.settings.get();
      const mode = call.dryRun ? 'offline' : settings['api.mode'];
      const book = call.book ?? this.#parts.book;
      const long = LongBody.of(shown.body);
      let matched = mode === 'live' ? null : book.find({ ...shown, long });
      if (long?.state === 'wanted') {
        await beforeSending(long.read(), call.signal);
        matched = book.find({ ...shown, long });
      }
      if (matched !== null) {
        progress.source = 'mock';
        progress.mock = matched.mock.name;
        const reply = await this.#reply(matched, shown, settings, call);
        return await completedCall(call.operation, reply, NO_SECRETS, progress);
      }
      if (mode === 'offline') throw noMock(shown, call.dryRun);
      const request = await this.#leavingRequest(call, shown);
      const http = await this.#connections.client(settings);
      progress.source = 'live';
      progress.mask = new SecretMask([...shown.secrets, ...request.secrets], this.#sent.mask);
      const response = await http.send(request, rulesOf(settings), call.signal);
      if (settings['api.record']) {
        const more = {
          headers: settings['api.recordHeaders'],
          sequences: settings['api.recordSequences'],
          folder: settings['api.recordFolder'],
        };
        if (call.known?.hasUnread) await call.known.read();
        const mask = new SecretMask(this.#parts.hidden(), call.known?.united(progress.mask) ?? progress.mask);
        await this.#recorder.record({ ...shown, long }, response, mask, more);
      }
      return await completedCall(call.operation, response, this.#sent.mask, progress);
    } catch (thrown) {
      if (thrown instanceof InvalidArgument) {
        // Its message may contain the value of a placeholder.
        return invalidCall(thrown.message, new SecretMask(shown.secrets, this.#sent.mask));
      }
      if (!(thrown instanceof HttpFailure)) this.#parts.fault('an API call', thrown);
      return failedCall(
        thrown instanceof HttpFailure ? thrown : new HttpFailure('NetworkError', 'the call failed'),
        progress,
      );
    }
  }

  async #reply(
    { mock, path }: MatchedMock,
    shown: HttpRequest,
    settings: Settings,
    { book = this.#parts.book, signal }: ApiCall,
  ): Promise<Response> {
    const { files } = this.#parts;
    return respondWithMock(book.take(mock), path, shown, files, rulesOf(settings), signal);
  }

  /** The request with the values of named secrets. */
  async #leavingRequest(call: ApiCall, shown: HttpRequest): Promise<HttpRequest> {
    if (!(await beforeSending(useSecrets(call.args), call.signal))) return shown;
    const request = await this.#built(call, this.#sent.value);
    this.#sent.add(request.named);
    return request;
  }

  #keyHeader(url: URL): string {
    const { 'api.keyHeaders': byHost, 'api.keyHeader': usual } = this.#parts.settings.get();
    return Object.entries(byHost).find(([host]) => isListed(url, [host]))?.[1] ?? usual;
  }
}

function endedEarly(reason: InvalidArgument | HttpFailure): EndedCall {
  if (reason instanceof InvalidArgument) return invalidCall(reason.message);
  return failedCall(reason, { source: 'none', mock: null, mask: NO_SECRETS });
}

function* useSecrets(args: readonly PassedArgument[]): Steps<boolean> {
  for (const argument of args) if (isText(argument) && (yield* usesSecrets(argument))) return true;
  return false;
}

/** Work before the request is sent, in turns with everything else. Throws HttpFailure as soon as the signal aborts. */
async function beforeSending<T>(steps: Steps<T>, signal: AbortSignal): Promise<T> {
  try {
    return await inTurns(steps, signal);
  } catch (thrown) {
    if (signal.aborted && thrown === signal.reason)
      throw new HttpFailure('Cancelled', 'the run ended before the request was sent');
    throw thrown;
  }
}

/** After all code that waits for promises, and before other I/O. */
function nextTick(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}

function noMock({ method, url }: HttpRequest, dryRun: boolean): HttpFailure {
  const what = `${method} ${maskUrl(url.origin + url.pathname, NO_SECRETS)}`;
  const why = dryRun ? 'a dry run reaches mocks only' : 'setting api.mode is offline';
  return new HttpFailure('NoMock', `no mock matches ${what}, and ${why}; add one, or record it in live mode`);
}

/** For arguments from which no request can be built. */
function urlIn({ args: [url] }: ApiCall): string {
  return typeof url === 'string' ? hideInWrongUrl(url) : '';
}

function rulesOf(settings: Settings) {
  return {
    timeoutMs: settings['api.timeoutMs'],
    maxRedirects: settings['api.maxRedirects'],
    maxBytes: settings['api.maxResponseMb'] * 1_048_576,
    allowedHosts: settings['api.allowedHosts'],
  };
}

/** Bytes of the response to a message of Tagwright that are read. */
const PUSH_RESPONSE = 65_536;
/** Characters of the sentence why there was no response. */
const MAX_REASON = 500;
