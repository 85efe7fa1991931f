import { childGateway } from '../../support/hub/child-gateway.ts';

/**
 * A gateway of the hub with the given address, in a separate process. Sends its URL, and for every message the highest
 * resident memory (bytes) since the previous message.
 */
const gateway = await childGateway('bench');
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
