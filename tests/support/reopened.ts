import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import type { Client } from '../../src-main/headless/instance-client.ts';
import { connectInstance } from '../../src-main/headless/instance-client.ts';

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
