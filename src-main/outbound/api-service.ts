import type { ApiAnswer, ApiArgument, ApiExchange, ApiOperation } from '#domain/api-call';
import type { Settings } from '#domain/settings';
import type { Clock } from '../platform/clock.ts';
import { answerOf, failedAnswer, textOf } from './answers.ts';
import type { HttpRequest } from './build-request.ts';
import { buildRequest } from './build-request.ts';
import type { CallAnswers } from './call-answers.ts';
import type { CallLog } from './call-log.ts';
import { describeMessage } from './describe-call.ts';
import { isListed } from './host-list.ts';
import { HttpClient, type HttpResponse } from './http-client.ts';
import { HttpFailure } from './http-failure.ts';
import { InvalidArgument } from './invalid-argument.ts';
import { maskUrl, SecretMask } from './masking.ts';
import { replyOf } from './mocks/mock-answer.ts';
import type { MatchedMock } from './mocks/match-mock.ts';
import type { MockBook, MockSource } from './mocks/mock-book.ts';
import type { MockFiles } from './mocks/mock-files.ts';
import { recorded } from './mocks/recorder.ts';
import { fillSecrets, secretsIn } from './placeholders.ts';
import type { SecretVault } from './secrets/secret-vault.ts';

export interface ApiCall {
  operation: ApiOperation;
  args: readonly ApiArgument[];
  /** A dry run asks mocks only (decision 3). */
  dryRun: boolean;
  /** The tag whose script calls; '' for none. */
  tag: string;
  /** Aborts when the run ends, however it does. */
  signal: AbortSignal;
  /** Mocks in place of those of the workspace. */
  book?: MockSource;
}

export interface ApiOutcome {
  answer: ApiAnswer;
  /** Masked. */
  exchange: ApiExchange;
}

export interface ApiServiceParts {
  settings: { get(): Settings; onChange(listener: (settings: Settings) => void): () => void };
  vault: SecretVault;
  book: MockBook;
  files: MockFiles;
  log: CallLog;
  answers: CallAnswers;
  clock: Clock;
  /** For faults of Tagwright itself. */
  fault: (where: string, thrown: unknown) => void;
}

type Response = Omit<HttpResponse, 'url'>;

/** What a call came to, before it is shown to anybody. */
interface Ended {
  source: ApiExchange['source'];
  mock: string | null;
  response: Response | null;
  /** How the script gets it. */
  answer: ApiAnswer;
  error: string | null;
  /** All that no log may show. */
  mask: SecretMask;
}

/** Does the calls of `ApiValueManager`: to mocks or to far ends, as the settings say (decision 5). Never throws. */
export class ApiService {
  readonly #parts: ApiServiceParts;
  readonly #unsubscribe: (() => void)[];
  /** Values of named secrets that have left: a far end may tell them to a script in any later answer. */
  readonly #left = new Set<string>();
  #client: { http: HttpClient; key: string } | null = null;

  constructor(parts: ApiServiceParts) {
    this.#parts = parts;
    this.#unsubscribe = [
      parts.settings.onChange((settings) => {
        if (this.#client?.key !== connectionKey(settings)) this.#retireClient();
      }),
      // The proxy may need it.
      parts.vault.onChange(() => this.#retireClient()),
    ];
  }

  async close(): Promise<void> {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    const { http } = this.#client ?? {};
    this.#client = null;
    await http?.close();
  }

  /** The answer for the script, and what people may see of the call, which is also logged. */
  async call(call: ApiCall): Promise<ApiOutcome> {
    const started = performance.now();
    const at = this.#parts.clock.iso();
    const shown = this.#shown(call);
    const ended = shown instanceof InvalidArgument ? invalid(shown) : await this.#ended(call, shown);
    const request = shown instanceof InvalidArgument ? null : shown;
    const { mask, response, source, mock, error, answer } = ended;
    const exchange: ApiExchange = {
      operation: call.operation,
      method: request?.method ?? '',
      url: (request === null ? urlIn(call) : maskUrl(request.url.href, mask)).slice(0, 4_096),
      statusCode: answer.statusCode,
      ms: Math.round((performance.now() - started) * 1_000) / 1_000,
      source,
      mock,
      error,
      request: describeMessage(request?.headers ?? [], request?.body ?? null, mask),
      response: response === null ? null : describeMessage(response.headers, response.body, mask),
    };
    const seq = this.#parts.log.add({ ...exchange, at, tag: call.tag, dryRun: call.dryRun });
    if (request !== null) this.#parts.answers.add(seq, { request, response, error, mask });
    return { answer, exchange };
  }

  /** The request with the placeholders of secrets in place: what mocks and logs see. */
  #shown({ operation, args }: ApiCall): HttpRequest | InvalidArgument {
    try {
      return buildRequest(operation, args, { keyHeader: (url) => this.#keyHeader(url), secrets: null });
    } catch (thrown) {
      if (thrown instanceof InvalidArgument) return thrown;
      this.#parts.fault('building an API call', thrown);
      return new InvalidArgument('the arguments make no call');
    }
  }

  async #ended(call: ApiCall, shown: HttpRequest): Promise<Ended> {
    const state = {
      source: 'none' as Ended['source'],
      mock: null as string | null,
      mask: new SecretMask(shown.secrets),
    };
    try {
      const settings = this.#parts.settings.get();
      const mode = call.dryRun ? 'offline' : settings['api.mode'];
      const matched = mode === 'live' ? null : (call.book ?? this.#parts.book).find(shown);
      if (matched !== null) {
        Object.assign(state, { source: 'mock', mock: matched.mock.name });
        return {
          ...state,
          ...answered(call.operation, await this.#reply(matched, shown, settings, call), null),
        };
      }
      if (mode === 'offline') throw noMock(shown, call.dryRun);
      const request = this.#leavingRequest(call, shown);
      Object.assign(state, {
        source: 'live',
        mask: new SecretMask([...shown.secrets, ...request.secrets, ...this.#leaving(request)]),
      });
      const response = await this.#http(settings).send(request, rulesOf(settings), call.signal);
      if (settings['api.record']) this.#record(shown, response, state.mask);
      const named = new SecretMask(this.#left);
      return { ...state, ...answered(call.operation, response, named.isEmpty ? null : named) };
    } catch (thrown) {
      if (thrown instanceof InvalidArgument) return { ...invalid(thrown), mask: state.mask };
      if (!(thrown instanceof HttpFailure)) this.#parts.fault('an API call', thrown);
      const failure = thrown instanceof HttpFailure ? thrown : new HttpFailure('NetworkError', 'the call failed');
      const message = state.mask.text(failure.message);
      return { ...state, response: null, answer: failedAnswer(failure.name, message), error: failure.name };
    }
  }

  async #reply(
    matched: MatchedMock,
    shown: HttpRequest,
    settings: Settings,
    { book = this.#parts.book, signal }: ApiCall,
  ): Promise<Response> {
    const { files } = this.#parts;
    const hits = book.countHit(matched.mock);
    return replyOf(matched, shown, hits, files, rulesOf(settings), signal);
  }

  /** The request with the values of named secrets. */
  #leavingRequest({ operation, args }: ApiCall, shown: HttpRequest): HttpRequest {
    const none = args.every((argument) => typeof argument !== 'string' || secretsIn(argument).length === 0);
    if (none) return shown;
    return buildRequest(operation, args, {
      keyHeader: (url) => this.#keyHeader(url),
      secrets: (name) => this.#parts.vault.value(name),
    });
  }

  /** All values of named secrets that have left, with those of this request. */
  #leaving({ named }: HttpRequest): ReadonlySet<string> {
    for (const value of named) this.#left.add(value);
    return this.#left;
  }

  #record(shown: HttpRequest, response: HttpResponse, mask: SecretMask): void {
    const { book, files, fault } = this.#parts;
    try {
      if (book.find(shown) !== null) return;
      book.save(recorded(shown, response, mask, files)).catch((thrown: unknown) => fault('recording a mock', thrown));
    } catch (thrown) {
      fault('recording a mock', thrown);
    }
  }

  #keyHeader(url: URL): string {
    const { 'api.keyHeaders': byHost, 'api.keyHeader': usual } = this.#parts.settings.get();
    return Object.entries(byHost).find(([host]) => isListed(url, [host]))?.[1] ?? usual;
  }

  #http(settings: Settings): HttpClient {
    const key = connectionKey(settings);
    if (this.#client?.key === key) return this.#client.http;
    this.#retireClient();
    const http = new HttpClient({
      caFiles: settings['api.caFiles'],
      proxy: fillSecrets(settings['api.proxy'], (name) => this.#parts.vault.value(name), 'url'),
      noProxy: settings['api.noProxy'],
    });
    this.#client = { http, key };
    return http;
  }

  #retireClient(): void {
    const { http } = this.#client ?? {};
    this.#client = null;
    http?.retire().catch((thrown: unknown) => this.#parts.fault('closing connections', thrown));
  }
}

function answered(
  operation: ApiOperation,
  received: Response,
  named: SecretMask | null,
): Pick<Ended, 'response' | 'answer' | 'error'> {
  const response = named === null ? received : withoutSecrets(received, named);
  const isImage = operation.startsWith('GetImage') && response.status >= 200 && response.status < 300;
  const text = isImage ? '' : textOf(response.body, response.headers);
  return { response, answer: answerOf(operation, response, named === null ? text : named.text(text)), error: null };
}

/** A far end that answers what it was sent would tell the script a secret that it may only use. */
function withoutSecrets(response: Response, named: SecretMask): Response {
  const latin1 = response.body.toString('latin1');
  const masked = named.text(latin1);
  return masked === latin1 ? response : { ...response, body: Buffer.from(masked, 'latin1') };
}

function invalid({ message }: InvalidArgument): Ended {
  const answer = failedAnswer('InvalidArgument', message);
  return { source: 'none', mock: null, response: null, answer, error: 'InvalidArgument', mask: new SecretMask([]) };
}

function noMock({ method, url }: HttpRequest, dryRun: boolean): HttpFailure {
  const what = `${method} ${maskUrl(url.origin + url.pathname, new SecretMask([]))}`;
  const why = dryRun ? 'a dry run reaches mocks only' : 'setting api.mode is offline';
  return new HttpFailure('NoMock', `no mock answers ${what}, and ${why}; add one, or record it in mode live`);
}

/** Of arguments that make no request. */
function urlIn({ args: [url] }: ApiCall): string {
  return typeof url === 'string' ? maskUrl(url, new SecretMask([])) : '';
}

function rulesOf(settings: Settings) {
  return {
    timeoutMs: settings['api.timeoutMs'],
    maxRedirects: settings['api.maxRedirects'],
    maxBytes: settings['api.maxResponseMb'] * 1_048_576,
    allowedHosts: settings['api.allowedHosts'],
  };
}

/** Connections are made anew when one of these changes. */
function connectionKey(settings: Settings): string {
  return JSON.stringify([settings['api.caFiles'], settings['api.proxy'], settings['api.noProxy']]);
}
