import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { RunReport } from '#domain/run/run';
import type { Settings } from '#domain/workspace/settings';
import type { Client, InstanceAddress } from '../../../src-main/host/instance-client.ts';
import { connectInstance } from '../../../src-main/host/instance-client.ts';
import { startTagwright } from '../../support/product.ts';

/** The product as somebody runs it, `tagwright serve` on the sample, and a client of it. */
export interface LiveInstance {
  readonly client: Client;
  readonly address: InstanceAddress;
  /** The base URL of the events API. */
  readonly eventsApi: string;
  readonly workspace: string;
  readonly pid: number;
  run(body: string): Promise<RunReport>;
  /** Resident memory of main, MB. */
  memoryMb(): number;
  /** Ends it and removes its workspace; resolves to what it ended with, and to what it said on stderr. */
  close(): Promise<{ code: number | null; err: string }>;
}

/** Whoever starts closes. */
export async function startInstance(settings: Partial<Settings>): Promise<LiveInstance> {
  const workspace = mkdtempSync(join(tmpdir(), 'tagwright-attack-'));
  const instance = startTagwright(['serve', '--workspace', workspace, '--port', '0', '--ui-port', '0', '--json']);
  const { eventsApi, pid }: { eventsApi: string; pid: number } = JSON.parse(await instance.firstLine());
  const address: InstanceAddress = JSON.parse(readFileSync(join(workspace, 'instance.json'), 'utf8'));
  const connection = await connectInstance(address);
  const { client } = connection;
  await client.settings.update(settings);
  return {
    client,
    address,
    eventsApi,
    workspace,
    pid,
    run: (body) =>
      client.runs.execute({
        body,
        context: { tagName: 'A.B.C', tagScopeDiagram: null, tagScopeLocation: null },
        dryRun: false,
      }),
    memoryMb: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024,
    async close() {
      connection.close();
      instance.kill('SIGTERM');
      const { code, err } = await instance.ended;
      rmSync(workspace, { recursive: true, force: true });
      return { code, err };
    },
  };
}

/** Asks the events API again and again, as an external tool does. */
export class Poller {
  answered = 0;
  slowestMs = 0;
  readonly problems: string[] = [];
  readonly #end = new AbortController();
  readonly #polling: Promise<void>;

  constructor(eventsApi: string) {
    this.#polling = this.#poll(`${eventsApi}/api/events?limit=100`);
  }

  async stop(): Promise<void> {
    this.#end.abort();
    await this.#polling;
  }

  async #poll(url: string): Promise<void> {
    while (!this.#end.signal.aborted) {
      const asked = performance.now();
      try {
        const answer = await fetch(url, { signal: AbortSignal.timeout(20_000) });
        const list: unknown = await answer.json();
        if (answer.status !== 200 || !Array.isArray(list)) this.problems.push(`status ${answer.status}`);
        this.answered += 1;
        this.slowestMs = Math.max(this.slowestMs, performance.now() - asked);
      } catch (thrown) {
        this.problems.push(String(thrown));
      }
      await wait(25);
    }
  }
}
