import { isIP } from 'node:net';
import type { Dispatcher } from 'undici';
import { Agent, Pool, ProxyAgent } from 'undici';
import type { HeaderPair } from '#domain/mock/api-call';
import type { HttpRequest } from './build-request.ts';
import { trustedCertificates, type TrustedCertificates } from './ca-files.ts';
import { ACCEPT_ENCODING } from './decode-body.ts';
import { wholeOf } from '../../platform/long-texts/text-in-parts.ts';
import { inTurns, type Steps } from '../../platform/turns.ts';
import { bytesOfText, SHORT_TEXT } from '../long-text.ts';
import { encodedBody } from './encode-body.ts';
import { isListed } from './host-list.ts';
import { collectResponse, CallEnd, type CollectedResponse } from './collect-response.ts';
import { failureOf, HttpFailure } from './http-failure.ts';
import { skipContinue } from './informational-responses.ts';
import { connectorPastOwnPorts, refuseOwnPortBehind } from './own-ports.ts';
import { redirected } from './redirects.ts';

export interface HttpResponse extends CollectedResponse {
  /** Its origin after redirects. */
  url: URL;
}

export interface HttpRules {
  /** For the whole call, including redirects and the body. */
  timeoutMs: number;
  maxRedirects: number;
  maxBytes: number;
  /** Returns the beginning of a longer body instead of failing. */
  cut?: boolean;
  allowedHosts: readonly string[];
}

export interface HttpClientOptions {
  caFiles: readonly string[];
  /** '' for none; may contain user and password. */
  proxy: string;
  /** Why the proxy cannot be used, such as a password that cannot be opened here. */
  proxyClosed?: string | null;
  noProxy: readonly string[];
  /** Whether calls may go to the ports on which this instance listens. */
  allowOwnPorts: boolean;
}

const USER_AGENT = 'Tagwright';
/** Node rejects larger headers of a response. */
const MAX_HEADER_BYTES = 65_536;
/** How long idle connections are kept: servers close theirs after 5 s or more. */
const KEEP_MS = 4_000;
/** Some servers announce another time, which is honored up to this. */
const KEPT_MS = 600_000;
const MOST_ORIGINS = 1_000;
/**
 * Calls end by their own deadline, failed connection attempts by this: other calls would wait for them. So would all
 * calls of an origin for its one HTTP/2 connection if the network silently lost it.
 */
const CONNECT_MS = 10_000;
const CONNECTING = { timeout: CONNECT_MS, allowH2: false } as const;

/** Sends requests, keeps connections, follows redirects. Recreated when a setting of connections changes. */
export class HttpClient {
  readonly #options: HttpClientOptions;
  readonly #agents = new Map<'direct' | 'proxied', Dispatcher>();
  /** When an origin last responded, ms of this process: a connection to it may have existed since then. */
  readonly #respondedAt = new Map<string, number>();
  /** Read for the first call. */
  #trusted: TrustedCertificates | null = null;
  readonly #endSkipping = skipContinue();
  #inProgress = 0;
  #idle: (() => void) | null = null;

  constructor(options: HttpClientOptions) {
    this.#options = options;
  }

  /**
   * The response, whatever its status. Only throws HttpFailure, if there is none. Aborting the signal ends the call at
   * once, with `Cancelled`.
   */
  async send(request: HttpRequest, rules: HttpRules, signal: AbortSignal): Promise<HttpResponse> {
    const end = new CallEnd();
    const timer = setTimeout(() => end.now(timedOut(request.url, rules.timeoutMs)), rules.timeoutMs);
    const cancel = () => end.now(new HttpFailure('Cancelled', 'the run ended before the response arrived'));
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
    this.#inProgress += 1;
    try {
      const encoded = await inTurns(bytesOfBody(request), signal);
      return await this.#follow({ ...request, encoded }, rules, end);
    } catch (thrown) {
      throw end.reason ?? failureOf(thrown, request.url.host);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
      this.#inProgress -= 1;
      if (this.#inProgress === 0) this.#idle?.();
    }
  }

  /** Closes every connection, even with calls in progress. */
  async close(): Promise<void> {
    await Promise.all([...this.#agents.values()].map((agent) => agent.destroy()));
    this.#agents.clear();
    this.#endSkipping();
  }

  /** Closes every connection once its calls have responses, redirects included. */
  async retire(): Promise<void> {
    if (this.#inProgress > 0) await new Promise<void>((resolve) => (this.#idle = resolve));
    await Promise.all([...this.#agents.values()].map((agent) => agent.close()));
    this.#endSkipping();
  }

  async #follow(first: HttpRequest, rules: HttpRules, end: CallEnd): Promise<HttpResponse> {
    let request = first;
    for (let hops = 0; ; hops += 1) {
      if (rules.allowedHosts.length > 0 && !isListed(request.url, rules.allowedHosts)) {
        throw new HttpFailure('HostNotAllowed', `${request.url.host} is not one of setting api.allowedHosts`);
      }
      // Each redirect depends on the previous response.
      const response = await this.#once(request, rules, end);
      const next = await redirected(request, response);
      if (next === null || rules.maxRedirects === 0) return response;
      if (hops >= rules.maxRedirects) {
        throw new HttpFailure(
          'TooManyRedirects',
          `${first.url.host} redirects more than ${rules.maxRedirects} times (setting api.maxRedirects)`,
        );
      }
      request = next;
    }
  }

  async #once(request: HttpRequest, rules: HttpRules, end: CallEnd): Promise<HttpResponse> {
    const { method, url } = request;
    for (let again = false; ; again = true) {
      const isKept =
        !again && performance.now() - (this.#respondedAt.get(url.origin) ?? Number.NEGATIVE_INFINITY) < KEPT_MS;
      let begun = false;
      try {
        if (!this.#options.allowOwnPorts && !this.#bypassesProxy(url))
          await refuseOwnPortBehind(this.#options.proxy, url);
        const response = await this.#sent(request, rules, end, () => (begun = true));
        if (this.#respondedAt.size >= MOST_ORIGINS) this.#respondedAt.clear();
        this.#respondedAt.set(url.origin, performance.now());
        return { ...response, url };
      } catch (thrown) {
        const unread = this.#trusted?.problems;
        const failure = end.reason ?? failureOf(thrown, url.host, this.#proxyFor(url), unread);
        // The server may close an idle connection just as a call begins; repeating a read has no other effect there.
        if (!isKept || begun || method !== 'GET' || failure.name !== 'ConnectionReset') throw failure;
      }
    }
  }

  async #sent(
    { method, url, headers, body, encoded }: HttpRequest,
    { maxBytes, cut = false }: HttpRules,
    end: CallEnd,
    begun: () => void,
  ): Promise<CollectedResponse> {
    const request: Dispatcher.DispatchOptions = {
      origin: url.origin,
      path: url.pathname + url.search,
      method,
      headers: fieldsOf(headers),
      body: encoded ?? ((body && wholeOf(body)) || (method === 'POST' || method === 'PUT' ? '' : null)),
      // One deadline covers the whole call.
      headersTimeout: 0,
      bodyTimeout: 0,
    };
    return collectResponse(this.#agentFor(url), request, { bytes: maxBytes, cut }, end, begun);
  }

  #agentFor(url: URL): Dispatcher {
    const { proxy, proxyClosed, allowOwnPorts } = this.#options;
    const kind = this.#bypassesProxy(url) ? 'direct' : 'proxied';
    const known = this.#agents.get(kind);
    if (known !== undefined) return known;
    this.#trusted ??= trustedCertificates(this.#options.caFiles);
    const { certificates } = this.#trusted;
    const tls = certificates === null ? {} : { ca: certificates };
    // Without its password, the proxy would reject the call, and ask for one that is set.
    if (kind !== 'direct' && proxyClosed) throw new HttpFailure('ConfigurationError', proxyClosed);
    const common = { maxHeaderSize: MAX_HEADER_BYTES, keepAliveTimeout: KEEP_MS, allowH2: false };
    const connect = { ...tls, ...CONNECTING };
    const agent =
      kind === 'direct'
        ? new Agent({ ...common, connect: allowOwnPorts ? connect : connectorPastOwnPorts(connect) })
        : proxyAgent(proxy, { ...common, requestTls: connect, proxyTls: connect });
    this.#agents.set(kind, agent);
    return agent;
  }

  #bypassesProxy(url: URL): boolean {
    const { proxy, noProxy } = this.#options;
    return proxy === '' || isListed(url, noProxy);
  }

  /** Only host and port: the setting may contain a password. */
  #proxyFor(url: URL): string | null {
    return this.#bypassesProxy(url) ? null : (URL.parse(this.#options.proxy)?.host ?? null);
  }
}

/** The bytes of a body that is long, or in another charset than UTF-8. */
function* bytesOfBody({ body, headers, encoded }: HttpRequest): Steps<Buffer | undefined> {
  if (encoded !== undefined || body === null) return encoded;
  const text = yield* encodedBody(body, headers);
  if (Buffer.isBuffer(text)) return text;
  return typeof text === 'string' && text.length <= SHORT_TEXT ? undefined : yield* bytesOfText(text);
}

/** Names and values alternately, as undici takes them; headers of the script replace the defaults. */
function fieldsOf(headers: readonly HeaderPair[]): string[] {
  const fields: string[] = [];
  let agent = true;
  let encodings = true;
  for (const [name, value] of headers) {
    if (/^user-agent$/i.test(name)) agent = false;
    else if (/^accept-encoding$/i.test(name)) encodings = false;
    fields.push(name, value);
  }
  if (agent) fields.push('User-Agent', USER_AGENT);
  if (encodings) fields.push('Accept-Encoding', ACCEPT_ENCODING);
  return fields;
}

function proxyAgent(proxy: string, options: Omit<ProxyAgent.Options, 'uri'>): ProxyAgent {
  const url = URL.parse(proxy);
  if (url === null)
    throw new HttpFailure('ConfigurationError', 'setting api.proxy is not a URL; write http://host:port');
  const { username, password } = url;
  if (url.protocol === 'https:' && isIP(url.hostname.replaceAll(/[[\]]/g, '')) > 0) {
    throw new HttpFailure(
      'ConfigurationError',
      'setting api.proxy: https:// needs the name of the proxy, not an address',
    );
  }
  url.username = '';
  url.password = '';
  const credentials = `${decoded(username)}:${decoded(password)}`;
  const token = username === '' ? {} : { token: `Basic ${Buffer.from(credentials).toString('base64')}` };
  return new ProxyAgent({
    ...options,
    uri: url.href,
    ...token,
    clientFactory: (origin, pool) => new Pool(origin, { ...pool, headersTimeout: CONNECT_MS }),
  });
}

/** From a URL; a % that does not begin a code is literal, because people write passwords like that. */
function decoded(text: string): string {
  return text.replaceAll(/(?:%[\dA-F]{2})+/gi, (codes) => {
    try {
      return decodeURIComponent(codes);
    } catch {
      return codes;
    }
  });
}

function timedOut(url: URL, ms: number): HttpFailure {
  return new HttpFailure('Timeout', `${url.host} did not respond within ${ms} ms (setting api.timeoutMs)`);
}
