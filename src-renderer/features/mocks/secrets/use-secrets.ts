import { useMemo } from 'react';
import type { SecretInfo } from '#domain/mock/api-secret';
import type { Client } from '../../../client/client.ts';
import { useAnswer } from '../../../client/use-answer.ts';

interface KnownSecrets {
  /** null until they were read. */
  secrets: readonly SecretInfo[] | null;
  problem: string | null;
}

/** The names of the secrets, kept current. */
export function useSecrets(client: Pick<Client, 'secrets'>, active: boolean): KnownSecrets {
  const question = useMemo(
    () => ({
      ask: (signal: AbortSignal) => client.secrets.list(undefined, { signal }),
      changes: [(signal: AbortSignal) => client.secrets.changes(undefined, { signal })],
    }),
    [client],
  );
  const { answer, problem } = useAnswer(question, active);
  return { secrets: answer?.secrets ?? null, problem: problem?.message ?? null };
}
