import type { ApiExchange, ApiOperation, ApiResponse } from '#domain/mock/api-call';
import type { PassedArgument } from '../../platform/long-texts/text-in-parts.ts';
import { responseOf } from '../../outbound/api-response.ts';
import { describeMessage } from '../../outbound/described-message.ts';
import { maskArguments, secretsOfAnswer } from '../../outbound/recorded-call.ts';
import type { CallSecrets, KnownSecrets } from '../../outbound/secrets/run-secrets.ts';
import { SecretMask } from '../../outbound/secrets/secret-mask.ts';

/** A response that a person gives in place of a remote server. */
export interface ApiAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** What the script and its report get for a call that was not made, because a person answered it. */
export function answeredCall(
  call: { operation: ApiOperation; args: readonly PassedArgument[]; known?: KnownSecrets },
  { status, headers, body }: ApiAnswer,
): { result: ApiResponse; exchange: ApiExchange; secrets: () => CallSecrets } {
  const { operation, args, known } = call;
  const pairs = Object.entries(headers).map(([name, value]): [string, string] => [name.toLowerCase(), value]);
  const bytes = Buffer.from(body);
  const secrets = secretsOfAnswer(call, { headers: pairs, body });
  const own = new SecretMask(secrets.values);
  const mask = known?.shownWith(own) ?? own;
  const [url] = maskArguments(operation, args.slice(0, 1), mask);
  return {
    result: {
      ...responseOf(operation, { status, statusText: '', headers: pairs, body: bytes }, body),
      responseHeaders: Object.fromEntries(pairs),
    },
    secrets: () => secrets,
    exchange: {
      operation,
      method: '',
      url: typeof url === 'string' ? url.slice(0, 4_096) : '',
      statusCode: String(status),
      ms: 0,
      source: 'mock',
      mock: null,
      error: null,
      request: { headers: [], body: null, bytes: 0 },
      response: describeMessage(pairs, body, mask, bytes),
    },
  };
}
