import type { RunContext } from '#domain/run/run';
import { RunSecrets } from '../../outbound/secrets/run-secrets.ts';
import { settledOrAborted } from '../../platform/pause.ts';
import type { Journal } from '../../storage/journal/journal.ts';
import type { HostCalls } from '../sandbox/script-run.ts';

/** The secrets of a run outside of any other. @param isRecorded whether it becomes a capsule, also without a journal */
export const secretsOf = (
  { journal }: { journal?: Pick<Journal, 'enabled' | 'hidden'> },
  isRecorded = false,
): RunSecrets => new RunSecrets(journal?.hidden ?? null, isRecorded || journal?.enabled === true);

/** The calls of a run that writes nothing before the secrets are known that it could have. */
export function withSecrets(
  calls: HostCalls,
  { tagValue }: RunContext,
  { dryRun, live = false, secrets }: { dryRun: boolean; live?: boolean; secrets?: RunSecrets | undefined },
  signal: AbortSignal,
): HostCalls {
  if (!secrets || live) return calls;
  secrets.seeValue(tagValue);
  if (dryRun) return calls;
  return {
    ...calls,
    set: (items, scope, line) =>
      secrets.isReadyFor(items)
        ? calls.set(items, scope, line)
        : settledOrAborted(secrets.prepare(items), signal).then(() => calls.set(items, scope, line)),
  };
}
