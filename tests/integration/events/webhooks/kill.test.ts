import { join } from 'node:path';
import { expect, test } from 'vitest';
import { seededRandom } from '../../../support/run/random.ts';
import { remoteServer } from '../../../support/services/remote-server.ts';
import { scaled } from '../../../support/run/scale.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';
import { startChild } from '../../storage/child.ts';
import { wiredWebhooks } from './wired-webhooks.ts';

const ROUNDS = scaled(6, 40);

interface Received {
  body: string;
  /** Whether the receiver confirmed it at least once. */
  isConfirmed: boolean;
}

test('kills at any moment lose no change, and repeat only the same message', { timeout: 600_000 }, async () => {
  const random = seededRandom();
  const messages = new Map<string, Received>();
  const changed: string[] = [];
  let repeated = 0;
  const far = await remoteServer(({ headers, body }, response) => {
    const id = String(headers['webhook-id']);
    const known = messages.get(id);
    if (known) repeated += 1;
    if (known && known.body !== body) changed.push(id);
    // Some confirmations get lost with the connection: the message was received all the same.
    const outcome = random();
    const message = known ?? { body, isConfirmed: false };
    messages.set(id, message);
    if (outcome < 0.1) response.socket?.destroy();
    else if (outcome < 0.2) response.writeHead(500).end();
    else {
      message.isConfirmed = true;
      response.writeHead(200).end();
    }
  });
  const directory = join(temporaryFolder(), 'plant');
  const made: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const child = startChild(import.meta.resolve('./children/firing.ts'), [directory, far.base]);
    expect(await child.line()).toBe('ready');
    await new Promise((resolve) => void setTimeout(resolve, 20 + random() * 400));
    child.process.kill('SIGKILL');
    made.push(...(await child.ended()).slice(1));
    expect(child.stderr()).toBe('');
  }
  expect(made.length).toBeGreaterThan(ROUNDS);

  // The last process ends in peace, when everything has been sent.
  const { webhooks, events, close, faults } = wiredWebhooks(directory, {
    delays: Array.from({ length: 50 }, () => 10),
  });
  webhooks.start();
  const isDone = () => {
    const [webhook] = webhooks.list().webhooks;
    return webhook?.pending === 0 && webhook.seq === events.version();
  };
  await expect.poll(isDone, { timeout: 120_000 }).toBe(true);
  const last = events.version();
  await close();

  const sequences = [...messages.values()].map(({ body }) => JSON.parse(body).data.sequence as number);
  // Each change of the feed is exactly one message, and each was confirmed.
  expect(sequences.toSorted((a, b) => a - b)).toEqual(Array.from({ length: last }, (_, n) => n + 1));
  expect([...messages].filter(([, { isConfirmed }]) => !isConfirmed)).toEqual([]);
  expect(changed).toEqual([]);
  expect(repeated).toBeGreaterThan(0);
  const received = new Set(
    [...messages.values()].map(({ body }) => {
      const { type, data } = JSON.parse(body);
      return `${String(type).slice('event.'.length)} ${data.AggregationEventId}`;
    }),
  );
  expect(made.filter((one) => !received.has(one))).toEqual([]);
  expect(faults).toEqual([]);
});
