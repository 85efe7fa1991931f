import type { Settings } from '#domain/workspace/settings';
import { stampOf } from './ca-files.ts';
import type { HttpClient } from './http-client.ts';
import { HttpFailure } from './http-failure.ts';
import { InvalidArgument } from '../invalid-argument.ts';
import { checkPlaceholders, fillSecrets } from '../placeholders.ts';
import type { SentSecrets } from '../secrets/sent-secrets.ts';

export interface ConnectionsParts {
  settings: {
    onChange(listener: (settings: Settings) => void): () => void;
    /** Why the secret in a setting cannot be opened here, and what to do. */
    closedBecause?(key: keyof Settings): string | null;
  };
  vault: { onChange(listener: () => void): () => void };
  sent: SentSecrets;
  fault: (where: string, thrown: unknown) => void;
}

/** Loaded for the first call: undici takes a tenth of the start of a command. */
let loading: Promise<typeof import('./http-client.ts')> | null = null;

/** Loads it in advance: in a long-lived instance, the first call would otherwise occupy main for 50 ms. */
export async function loadHttpClient(): Promise<void> {
  await (loading ??= import('./http-client.ts'));
}

/** The HTTP client for the current settings: an outdated one ends once its calls have responses. */
export class Connections {
  readonly #parts: ConnectionsParts;
  readonly #unsubscribe: (() => void)[];
  #client: { http: HttpClient; key: string } | null = null;

  constructor(parts: ConnectionsParts) {
    this.#parts = parts;
    this.#unsubscribe = [
      parts.settings.onChange((settings) => {
        if (this.#client?.key !== this.#keyOf(settings)) this.#retire();
      }),
      // The proxy may need it.
      parts.vault.onChange(() => this.#retire()),
    ];
  }

  /** Rejects with HttpFailure `ConfigurationError` if a secret of the proxy cannot be read. */
  async client(settings: Settings): Promise<HttpClient> {
    const loaded = await (loading ??= import('./http-client.ts'));
    const key = this.#keyOf(settings);
    if (this.#client?.key === key) return this.#client.http;
    this.#retire();
    const http = new loaded.HttpClient({
      caFiles: settings['api.caFiles'],
      proxy: this.#proxyOf(settings),
      proxyClosed: this.#proxyClosed(),
      noProxy: settings['api.noProxy'],
      allowOwnPorts: settings['api.allowOwnPorts'],
    });
    this.#client = { http, key };
    return http;
  }

  /** Closes every connection, even with calls in progress. */
  async close(): Promise<void> {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    const { http } = this.#client ?? {};
    this.#client = null;
    await http?.close();
  }

  #proxyOf(settings: Settings): string {
    try {
      checkPlaceholders('it', settings['api.proxy'], 'url');
      return fillSecrets(settings['api.proxy'], this.#parts.sent.value, 'url');
    } catch (thrown) {
      // The script that makes the call is not the cause.
      if (!(thrown instanceof InvalidArgument)) throw thrown;
      throw new HttpFailure('ConfigurationError', `setting api.proxy: ${thrown.message}`);
    }
  }

  #proxyClosed(): string | null {
    return this.#parts.settings.closedBecause?.('api.proxy') ?? null;
  }

  /** Connections are recreated when it changes. */
  #keyOf(settings: Settings): string {
    const { 'api.caFiles': files, 'api.proxy': proxy, 'api.noProxy': direct, 'api.allowOwnPorts': own } = settings;
    return JSON.stringify([files, stampOf(files), proxy, this.#proxyClosed(), direct, own]);
  }

  #retire(): void {
    const { http } = this.#client ?? {};
    this.#client = null;
    http?.retire().catch((thrown: unknown) => this.#parts.fault('closing connections', thrown));
  }
}
