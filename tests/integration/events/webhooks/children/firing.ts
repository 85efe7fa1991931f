import { writeSync } from 'node:fs';
import { NEW_WEBHOOK } from '#domain/event/webhook';
import { wiredWebhooks } from '../wired-webhooks.ts';

// Fires events and sends them to a receiver, until killed. Prints the id of each event after it was committed.
const [directory = '', url = ''] = process.argv.slice(2);
const { webhooks, fire, events, faults } = wiredWebhooks(directory, { delays: Array.from({ length: 50 }, () => 10) });
if (webhooks.list().webhooks.length === 0) await webhooks.save({ ...NEW_WEBHOOK, name: 'Receiver', url });
webhooks.start();
writeSync(1, 'ready\n');
for (;;) {
  for (const id of await fire(3)) writeSync(1, `created ${id}\n`);
  const [first = 0] = await fire();
  writeSync(1, `created ${first}\n`);
  await events.delete(first);
  writeSync(1, `deleted ${first}\n`);
  await new Promise((resolve) => void setTimeout(resolve, 5));
  for (const fault of faults.splice(0)) writeSync(2, `${fault}\n`);
}
