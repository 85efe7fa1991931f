import { DEFAULT_SETTINGS } from '#domain/workspace/settings';
import { EventsApiService } from '../../../src-main/events/api/events-api-service.ts';
import { EventStore } from '../../../src-main/events/store/event-store.ts';
import { KeyCheck } from '../../../src-main/platform/key-check.ts';
import { createLog } from '../../../src-main/platform/log.ts';
import { openWorkspaceStore } from '../../../src-main/storage/workspace/workspace-store.ts';

/**
 * The events API over the given workspace, in a separate process. Sends its URL, and for every message the CPU time so
 * far (µs) and the highest resident memory (bytes) since the previous message.
 */
const store = openWorkspaceStore(process.argv[2] ?? '');
const service = new EventsApiService({
  source: new EventStore(store),
  settings: { get: () => DEFAULT_SETTINGS, onChange: () => () => {} },
  apiKey: new KeyCheck(),
  version: 'bench',
  clock: store.clock,
  log: createLog(),
  port: 0,
});
await service.start();
let highest = 0;
const look = () => {
  highest = Math.max(highest, process.memoryUsage.rss());
};
let looking: NodeJS.Timeout | undefined;
process.on('message', () => {
  // From the first message on: looking costs a hundredth of the speed.
  looking ??= setInterval(look, 10);
  look();
  const { user, system } = process.cpuUsage();
  process.send?.({ cpu: user + system, rss: highest });
  highest = 0;
});
process.once('SIGINT', () => process.exit());
process.once('disconnect', () => process.exit());
process.send?.({ url: service.status().url });
