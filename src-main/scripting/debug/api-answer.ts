import type { ApiExchange, ApiOperation, ApiResponse } from '#domain/mock/api-call';
import type { PassedArgument } from '../../platform/long-texts/text-in-parts.ts';
import { responseOf } from '../../outbound/api-response.ts';
import { secretsOfAnswer } from '../../outbound/recorded-call.ts';
import type { CallSecrets } from '../../outbound/secrets/run-secrets.ts';

/** A response that a person gives in place of a remote server. */
export interface ApiAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** What the script and its report get for a call that was not made, because a person answered it. */
export function answeredCall(
  call: { operation: ApiOperation; args: readonly PassedArgument[] },
  { status, headers, body }: ApiAnswer,
): { result: ApiResponse; exchange: ApiExchange; secrets: () => CallSecrets } {
  const { operation, args } = call;
  const [url] = args;
  const pairs = Object.entries(headers).map(([name, value]): [string, string] => [name.toLowerCase(), value]);
  const bytes = Buffer.from(body);
  return {
    result: {
      ...responseOf(operation, { status, statusText: '', headers: pairs, body: bytes }, body),
      responseHeaders: Object.fromEntries(pairs),
    },
    secrets: () => secretsOfAnswer(call, { headers: pairs, body }),
    exchange: {
      operation,
      method: '',
      url: typeof url === 'string' ? url : '',
      statusCode: String(status),
      ms: 0,
      source: 'mock',
      mock: null,
      error: null,
      request: { headers: [], body: null, bytes: 0 },
      response: { headers: pairs, body, bytes: bytes.length },
    },
  };
}
