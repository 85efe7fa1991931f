import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { mockRoute } from '#contract/texts/mock-route';
import type { ApiOperation } from '#domain/mock/api-call';
import { DEFAULT_SETTINGS, type Settings } from '#domain/workspace/settings';
import { type Outbound, openOutbound } from '../../../src-main/outbound/outbound.ts';
import type { PassedArgument } from '../../../src-main/platform/long-texts/text-in-parts.ts';
import { openStore } from './open-store.ts';
import { temporaryFolder } from '../temp-folder.ts';

type Services = Outbound['services'];

type Call = (
  operation: ApiOperation,
  args: PassedArgument[],
  signal?: AbortSignal,
) => ReturnType<Outbound['api']['call']>;

export interface WiredOutbound extends Services {
  settings: Settings;
  /** Internal errors so far. */
  faults: readonly string[];
  call: Call;
  /** The calls of one dry run. */
  dryRun: () => { call: Call };
  /** Adds a mock. */
  add: (name: string, mock: object) => ReturnType<Services['mocks']['save']>;
  close: () => Promise<void>;
}

const NEVER = new AbortController().signal;

/**
 * API calls, mocks and secrets of a workspace, closed with the test, which fails if the product had an internal error.
 * The test can change `settings`.
 */
export function wiredOutbound(
  changes: Partial<Settings> = {},
  directory = join(temporaryFolder(), 'plant'),
): WiredOutbound {
  const store = openStore(directory);
  const settings: Settings = { ...DEFAULT_SETTINGS, ...changes };
  const faults: string[] = [];
  const outbound = openOutbound({
    ...store,
    settings: { get: () => settings, onChange: () => () => undefined },
    fault: (where, thrown) => faults.push(`${where}: ${String(thrown)}`),
  });
  let open = true;
  const close = async () => {
    if (!open) return;
    open = false;
    await outbound.close();
    store.close();
    expect(faults).toEqual([]);
  };
  onTestFinished(close);
  return {
    ...outbound.services,
    call: (operation, args, signal = NEVER) => outbound.api.call({ operation, args, dryRun: false, tag: '', signal }),
    dryRun: () => {
      const { call } = outbound.api.fresh();
      return { call: (operation, args, signal = NEVER) => call({ operation, args, dryRun: true, tag: '', signal }) };
    },
    add: (name, mock) => outbound.services.mocks.save(mockRoute().parse({ name, ...mock })),
    settings,
    faults,
    close,
  };
}
