import type { Capsule } from '#domain/run/capsule';
import type { HostRules } from '../sandbox/supervisor/host-command.ts';
import { ScriptHostPool, type ScriptHostPoolOptions } from '../sandbox/supervisor/script-host-pool.ts';
import type { ReplayParts } from './replay-capsule.ts';

/** How replays get script hosts. */
export interface ReplayHosts extends Pick<ReplayParts, 'maskArguments' | 'version'> {
  hosts: Pick<ScriptHostPoolOptions, 'hostFile' | 'nodeBinary' | 'sandbox' | 'log'>;
  rules?: () => HostRules;
}

/**
 * Script hosts of their own for replays, with the time zone and the locale of the recorded run: many replays may hang, and
 * other runs must not wait for them.
 * @param forDebug whether the bodies have probes
 */
export async function withReplayHosts<T>(
  { environment: { timeZone, locale } }: Pick<Capsule, 'environment'>,
  count: number,
  { hosts, rules, maskArguments, version }: ReplayHosts,
  use: (parts: ReplayParts) => Promise<T>,
  forDebug = false,
): Promise<T> {
  const runner = new ScriptHostPool({
    ...hosts,
    ...(rules && { rules: rules() }),
    place: { timeZone, locale },
    count,
    spare: false,
    forDebug,
  });
  try {
    return await use({ runner, maskArguments, version });
  } finally {
    await runner.close();
  }
}
