import { expect, test } from 'vitest';
import { fakeServices } from '../../../contract/fake-services.ts';
import { runCommand } from '../run-command.ts';

test('the status of a mirror that stopped ends with what to do', async () => {
  const services = fakeServices();
  const problem = `${'The mirror stopped, because another workspace is mirrored. '.repeat(4)}Run "tagwright hub rejoin".`;
  services.hub = {
    ...services.hub,
    status: async () => ({ ...(await fakeServices().hub.status()), state: 'stopped', problem }),
  };
  const ended = await runCommand(['hub', 'status'], { services });
  expect(ended.code).toBe(1);
  expect(ended.out).toContain(`Problem   ${problem}\n`);
});
