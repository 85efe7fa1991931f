import type { ApiRequest } from '#domain/mock/api-request';

/** The outcome of a request, shown as the color of its status. */
export type RequestSort = 'good' | 'plain' | 'warning' | 'bad';

export function sortOf({ status, outcome }: Pick<ApiRequest, 'status' | 'outcome'>): RequestSort {
  if (outcome === 'aborted' || status >= 500) return 'bad';
  return status >= 400 ? 'warning' : status >= 300 ? 'plain' : 'good';
}

/** The status of a response; a request that ended before its response may have none. */
export function statusText({
  status,
  outcome,
  injected,
}: Pick<ApiRequest, 'status' | 'outcome'> & { injected?: ApiRequest['injected'] }): string {
  const text = outcome === 'aborted' ? `${status === 0 ? '' : `${status} `}aborted` : String(status);
  return injected === undefined ? text : `${text} (injected)`;
}

/** The requests that have every word in their method, path, status, client or program. */
export function matchingRequests(requests: readonly ApiRequest[], text: string): readonly ApiRequest[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return requests;
  return requests.filter((request) => {
    const { method, path, client, userAgent } = request;
    const all = `${method} ${path} ${statusText(request)} ${client} ${userAgent}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
}
