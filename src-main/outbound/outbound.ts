import { join } from 'node:path';
import type { LoggedCall } from '#domain/mock/api-call';
import type { MockRoute } from '#domain/mock/mock';
import type { SecretInfo } from '#domain/mock/api-secret';
import { secretsInSettings } from '#domain/workspace/private-settings';
import type { Settings } from '#domain/workspace/settings';
import type { ConnectionsParts } from './http/connections.ts';
import type { Clock } from '../platform/clock.ts';
import type { CommitQueue } from '../storage/commit-queue.ts';
import type { MockRepository } from '../storage/repositories/mock-repository.ts';
import type { SecretRepository } from '../storage/repositories/secret-repository.ts';
import { ApiService } from './api-service.ts';
import { CallResponses } from './call-responses.ts';
import { CallLog } from './call-log.ts';
import { MockBook } from './mocks/mock-book.ts';
import { MockFiles } from './mocks/mock-files.ts';
import { MockService } from './mocks/mock-service.ts';
import { MocksBefore } from './mocks/mocks-before.ts';
import type { Sealer } from './secrets/sealer.ts';
import { sealerOf } from './secrets/sealer.ts';
import { textMask } from './secrets/secret-mask.ts';
import { SecretVault } from './secrets/secret-vault.ts';

export interface OutboundParts {
  /** The folder of the workspace. */
  directory: string;
  mocks: MockRepository;
  secrets: SecretRepository;
  commits: CommitQueue;
  clock: Clock;
  settings: ConnectionsParts['settings'] & { get(): Settings };
  /** Whether mocks are loaded when one is first asked for. */
  loadsLate?: boolean;
  /** Seals secrets; without it, a key file in the workspace does. */
  sealer?: Sealer | undefined;
  /** Receives internal errors of Tagwright. */
  fault: (where: string, thrown: unknown) => void;
}

/** The call log for clients, with the names of the contract. */
interface Calls {
  list(input: { after?: number | undefined; limit?: number | undefined }): { calls: LoggedCall[] };
  watch(signal: AbortSignal): AsyncIterable<LoggedCall[]>;
  image(input: { seq: number }): { base64: string | null };
  clear(): { count: number };
}

interface SecretStorage {
  list(): { secrets: SecretInfo[] };
  set(input: { name: string; value: string }): Promise<void>;
  delete(input: { name: string }): Promise<void>;
  onChange(listener: (change: { name: string }) => void): () => void;
}

export interface Outbound {
  /** The calls of runs. */
  readonly api: ApiService;
  /** The calls of script tests: these mocks are matched before those of the workspace. */
  mocked(mocks: readonly MockRoute[]): Pick<ApiService, 'call' | 'fresh'>;
  /** The procedures for clients. */
  readonly services: { readonly mocks: MockService; readonly calls: Calls; readonly secrets: SecretStorage };
  /** The values of all readable secrets, to mask them: only here in main. */
  secretValues(): string[];
  /** A call of the log by its number; null if it is no longer stored. */
  loggedCall(seq: number): LoggedCall | null;
  /** Hides these values in a text, in any encoding; null if there is nothing to hide. */
  maskOf(values: readonly string[]): ((text: string) => string) | null;
  close(): Promise<void>;
}

/** Everything behind `ApiValueManager`: the HTTP client, mocks, secrets and the call log. */
export function openOutbound(parts: OutboundParts): Outbound {
  const { directory, settings, sealer = sealerOf(directory) } = parts;
  const vault = new SecretVault({ ...parts, sealer });
  const book = new MockBook(parts);
  const files = new MockFiles(join(directory, 'mock-files'));
  const log = new CallLog();
  const responses = new CallResponses();
  const hidden = () => [...vault.values(), ...secretsInSettings(settings.get())];
  const api = new ApiService({ ...parts, vault, book, files, log, responses, hidden });
  return {
    api,
    mocked: (mocks) => {
      const first = new MocksBefore(mocks, book);
      return { ...api.fresh(first), fresh: () => api.fresh(first) };
    },
    secretValues: () => vault.values(),
    loggedCall: (seq) => log.get(seq),
    maskOf: textMask,
    services: {
      mocks: new MockService({ book, files, settings, responses, secrets: hidden }),
      calls: {
        list: ({ after, limit }) => ({ calls: log.list(after, limit) }),
        watch: (signal) => log.watch(signal),
        image: ({ seq }) => ({ base64: responses.image(seq) }),
        clear: () => {
          responses.clear();
          return { count: log.clear() };
        },
      },
      secrets: {
        list: () => ({ secrets: vault.list() }),
        set: (input) => vault.set(input),
        delete: (input) => vault.delete(input),
        onChange: (listener) => vault.onChange(listener),
      },
    },
    close: async () => {
      await api.close();
      await book.close();
    },
  };
}
