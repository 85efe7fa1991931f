import { childGateway } from '../../../support/hub/child-gateway.ts';

/** A gateway that prints its address. */
const gateway = await childGateway('9.8.7');
process.stdout.write(`${gateway.url}\n`);
