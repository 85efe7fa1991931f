import { startGateway } from '../../../../src-main/hub/gateway/gateway.ts';
import { createLog } from '../../../../src-main/platform/log.ts';

/** A gateway in a process of its own, for the hub in the first argument. Prints its address. */
const gateway = await startGateway({
  url: process.argv[2] ?? '',
  port: 0,
  address: '127.0.0.1',
  hostNames: [],
  behindProxy: false,
  requestsPerSecond: 1_000_000,
  version: '9.8.7',
  log: createLog(),
});
process.stdout.write(`${gateway.url}\n`);
