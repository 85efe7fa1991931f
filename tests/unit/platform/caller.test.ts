import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Cause } from '#domain/run/journal';
import { calledBy, callerNow } from '../../../src-main/platform/caller.ts';

const command: Cause = { by: 'person', from: 'command line' };
const page: Cause = { by: 'person', from: 'window' };

test('each of two calls at a time has its own caller, after every wait', async () => {
  const work = async () => {
    const seen = [callerNow()];
    await turn();
    seen.push(callerNow());
    await Promise.all([turn(), calledBy({ by: 'read' }, turn)]);
    return [...seen, callerNow()];
  };
  const [byCommand, byPage] = await Promise.all([calledBy(command, work), calledBy(page, work)]);
  expect(byCommand).toEqual([command, command, command]);
  expect(byPage).toEqual([page, page, page]);
  expect(callerNow()).toEqual({ by: 'person' });
});
