import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import type { Client } from '../../src-main/host/instance-client.ts';
import { connectInstance } from '../../src-main/host/instance-client.ts';
import type { Started } from './product.ts';
import { startTagwright } from './product.ts';

export interface ServedInstance {
  command: Started;
  /** Of the instance itself, which the launcher has started. */
  pid: number;
  workspace: string;
  /** Of the events API. */
  port: number;
}

/** Serves a workspace to programs, with the events API on a free port; ended with the test. */
export async function serve(workspace: string): Promise<ServedInstance> {
  const command = startTagwright(['serve', '--json', '-w', workspace, '--no-ui', '--port', '0']);
  onTestFinished(async () => {
    command.kill('SIGTERM');
    await command.ended;
  });
  const { eventsApi, pid }: { eventsApi: string; pid: number } = JSON.parse(await command.firstLine());
  return { command, pid, workspace, port: Number(new URL(eventsApi).port) };
}

/** A tag of the sample that is only what somebody sets. */
export const TARGET = 'Bottling.Line1.Shift.Target.Value';
export const target = async (client: Client) => (await client.tags.get({ paths: [TARGET] }))[0]?.value;
export const setTarget = (client: Client, value: number) => client.tags.set({ items: [{ tag: TARGET, value }] });

/** A client of the instance as it can be reached now; waits while it opens its workspace anew. Ends with the test. */
export async function clientOf(workspace: string): Promise<Client> {
  const address = await vi.waitFor(
    () => {
      const read: { url: string | null; token: string } = JSON.parse(
        readFileSync(join(workspace, 'instance.json'), 'utf8'),
      );
      if (read.url === null) throw new Error('it serves nobody yet');
      return { url: read.url, token: read.token };
    },
    { timeout: 60_000, interval: 20 },
  );
  const connection = await connectInstance(address);
  onTestFinished(() => connection.close());
  return connection.client;
}

/** What the instance says of itself after it has opened its workspace once more; `before` is when it did the last time. */
export async function reopened(workspace: string, before: string) {
  return vi.waitFor(
    async () => {
      const info = await (await clientOf(workspace)).app.info();
      if (info.startedAt === before) throw new Error('not yet');
      return info;
    },
    { timeout: 60_000, interval: 50 },
  );
}
