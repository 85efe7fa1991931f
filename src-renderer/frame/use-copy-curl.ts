import { useCallback } from 'react';
import type { ApiExchange } from '#domain/mock/api-call';
import { curlCommand } from '#domain/mock/curl-command';
import { useCopy } from './use-copy.ts';

/** Copies the request of an API call as a curl command, with secrets masked. */
export function useCopyCurl(): (call: ApiExchange) => Promise<void> {
  const copy = useCopy();
  return useCallback(
    (call) => {
      const { text, notes } = curlCommand(call);
      return copy(text, 'Copied as curl', notes.length > 0 ? { body: notes.join(' ') } : {});
    },
    [copy],
  );
}
