import { startGateway } from '../../../src-main/hub/gateway/gateway.ts';
import { createLog } from '../../../src-main/platform/log.ts';

/**
 * A gateway of the hub with the given address, in a separate process. Sends its URL, and for every message the highest
 * resident memory (bytes) since the previous message.
 */
const gateway = await startGateway({
  url: process.argv[2] ?? '',
  port: 0,
  address: '127.0.0.1',
  hostNames: [],
  behindProxy: false,
  requestsPerSecond: 1_000_000,
  version: 'bench',
  log: createLog(),
});
let highest = 0;
const look = () => {
  highest = Math.max(highest, process.memoryUsage.rss());
};
setInterval(look, 20);
process.on('message', () => {
  look();
  process.send?.({ rss: highest });
  highest = 0;
});
process.once('disconnect', () => process.exit());
process.send?.({ url: gateway.url });
