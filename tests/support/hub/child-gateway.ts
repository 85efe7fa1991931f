import { startGateway } from '../../../src-main/hub/gateway/gateway.ts';
import { createLog } from '../../../src-main/platform/log.ts';

/** Starts a gateway in a process of its own, for the hub in the first argument, on a free port and without a limit. */
export const childGateway = (version: string) =>
  startGateway({
    url: process.argv[2] ?? '',
    port: 0,
    address: '127.0.0.1',
    hostNames: [],
    behindProxy: false,
    requestsPerSecond: 1_000_000,
    version,
    log: createLog(),
  });
