import { childGateway } from '../../../support/child-gateway.ts';

/** A gateway that prints its address. */
const gateway = await childGateway('9.8.7');
process.stdout.write(`${gateway.url}\n`);
