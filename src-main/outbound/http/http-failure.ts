/** Why there was no response; scripts read these names in `ErrorMessage`, documented in docs/scripting/api-calls.md. */
export const FAILURES = [
  'InvalidArgument',
  'HostNotFound',
  'ConnectionRefused',
  'ConnectionReset',
  'Timeout',
  'TlsError',
  'InvalidResponse',
  'UnsupportedEncoding',
  'ResponseTooLarge',
  'TooManyRedirects',
  'RedirectRefused',
  'HostNotAllowed',
  'OwnPortRefused',
  'ConfigurationError',
  'NoMock',
  'MockError',
  'Cancelled',
  'NetworkError',
] as const;
export type FailureName = (typeof FAILURES)[number];

/** There was no response, and why. The message never contains a URL or a header, so that it can be shown. */
export class HttpFailure extends Error {
  override readonly name: FailureName;

  constructor(name: FailureName, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = name;
  }
}

const RESET = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'UND_ERR_SOCKET']);
const UNREACHABLE = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'ENETDOWN', 'EACCES']);
/** Headers have no timeout of their own, except those of a proxy during a connect. */
const CONNECTING = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  ...UNREACHABLE,
]);
const TLS =
  /^(?:ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|EPROTO|ERR_OSSL|INVALID_(?:CA|PURPOSE)|HOSTNAME_MISMATCH)/;

/** No trusted certificate leads to the one of the server: others have a problem that no additional one solves. */
const UNTRUSTED = /^(?:UNABLE_TO_(?:GET_ISSUER|VERIFY)|SELF_SIGNED|DEPTH_ZERO|CERT_UNTRUSTED)/;

/**
 * An error of undici, a socket or a decoder as a failure.
 * @param proxy the host of the call's proxy: a connection that fails is one to the proxy
 * @param unread problems of files of trusted certificates, which the call may need
 */
export function failureOf(
  thrown: unknown,
  target: string,
  proxy: string | null = null,
  unread: readonly string[] = [],
): HttpFailure {
  if (thrown instanceof HttpFailure) return thrown;
  const code = codeOf(thrown);
  const host = proxy !== null && CONNECTING.has(code) ? `the proxy ${proxy} of setting api.proxy` : target;
  const of = (name: FailureName, message: string) => new HttpFailure(name, message, thrown);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return of('HostNotFound', `${host} has no address (${code}); check its name and the network`);
  }
  if (code === 'ECONNREFUSED') return of('ConnectionRefused', `${host} refuses connections; nothing listens there`);
  if (UNREACHABLE.has(code)) return of('NetworkError', `${host} cannot be reached (${code}); check the network`);
  if (isInvalidHttp(thrown, code)) {
    return of('InvalidResponse', `the response of ${host} is not valid HTTP${code === '' ? '' : ` (${code})`}`);
  }
  if (RESET.has(code)) return of('ConnectionReset', `${host} ended the connection before its response was complete`);
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return of('Timeout', `${host} did not accept the connection in time`);
  if (code === 'ETIMEDOUT' || /TIMEOUT/.test(code)) return of('Timeout', `${host} did not respond in time (${code})`);
  if (unread[0] !== undefined && UNTRUSTED.test(code)) {
    const others = unread.length > 1 ? `, and ${unread.length - 1} more cannot be used` : '';
    return of(
      'ConfigurationError',
      `${unread[0]}${others}; the certificate of ${host} is not trusted without it (${code}); put a readable PEM file there`,
    );
  }
  if (TLS.test(code)) return of('TlsError', tlsMessage(host, code));
  if (/^Z_|^ERR_BROTLI|^ERR__|ZSTD|ERR_ZLIB|ERR_BUFFER_TOO/.test(code) || /zlib|brotli|zstd/i.test(code)) {
    return of('InvalidResponse', `the response of ${host} does not match its compression (${code})`);
  }
  if (/^UND_ERR_PRX|PROXY/.test(code) || /proxy/i.test(messageOf(thrown))) {
    return of('NetworkError', proxyMessage(/\((\d{3})\)/.exec(messageOf(thrown))?.[1]));
  }
  return of('NetworkError', `the call to ${host} failed${code === '' ? '' : ` (${code})`}`);
}

/** Data that undici's parser rejects, an unrequested switch of protocols, a status below 100. */
function isInvalidHttp(thrown: unknown, code: string): boolean {
  return (
    nameOf(thrown) === 'HTTPParserError' ||
    /^HPE_|CONTENT_LENGTH|HEADERS_OVERFLOW|UND_ERR_RESPONSE|ERR_ASSERTION/.test(code) ||
    messageOf(thrown) === 'bad upgrade'
  );
}

/** Additional certificates only help with the last of these. */
function tlsMessage(host: string, code: string): string {
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return `the certificate of ${host} is for another name (${code}); call it by a name in the certificate`;
  }
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') {
    const when = code === 'CERT_HAS_EXPIRED' ? 'has expired' : 'is not valid yet';
    return `the certificate of ${host} ${when} (${code}); it must be renewed if the clock of this machine is correct`;
  }
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER') {
    return `${host} does not use TLS on this port (${code}); check the port, or write http://`;
  }
  return `the certificate or TLS of ${host} is not trusted (${code}); setting api.caFiles adds certificates`;
}

/** @param status the response of the proxy instead of a connection */
function proxyMessage(status: string | undefined): string {
  if (status === '407') {
    return 'the proxy of setting api.proxy requires another user or password (407); write http://user:{{secret:NAME}}@host:port there';
  }
  const proxyStatus = status === undefined ? '' : ` (it responded with ${status})`;
  return `the proxy of setting api.proxy does not connect${proxyStatus}; check the setting, or add the host to api.noProxy`;
}

function nameOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.name : '';
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : '';
}

/** The code of an error, or the first one among its parts and causes. */
function codeOf(thrown: unknown, depth = 0): string {
  if (typeof thrown !== 'object' || thrown === null || depth > 4) return '';
  const { code, errors, cause } = thrown as { code?: unknown; errors?: unknown; cause?: unknown };
  if (typeof code === 'string' && code !== 'UND_ERR') return code;
  if (Array.isArray(errors) && errors.length > 0) return codeOf(errors[0], depth + 1);
  return codeOf(cause, depth + 1);
}
