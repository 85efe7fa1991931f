import { expect, test } from 'vitest';
import { commandLine } from '../../support/product/command-line.ts';
import { serve } from '../../support/product/served-instance.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

const NAME = 'erp/1.0 (127.0.0.1)';

test('consumers are listed, get faults, and lose them', async () => {
  const workspace = temporaryFolder();
  const { eventsApi } = await serve(workspace);
  const run = (...args: string[]) => commandLine(['consumers', ...args, '--workspace', workspace]);
  const get = async () => {
    const response = await fetch(`${eventsApi}/api/events`, { headers: { 'User-Agent': 'erp/1.0' } });
    await response.text();
    return response.status;
  };
  expect(await run('list')).toMatchObject({ code: 0, out: '', err: '0 consumers\n' });
  expect(await get()).toBe(200);
  await expect.poll(async () => (await run('list')).out).toMatch(/^erp\/1\.0 \(127\.0\.0\.1\) {2}polled 20/);
  expect(JSON.parse((await run('list', '--json')).out)).toMatchObject([{ name: NAME, requests: 1, faults: null }]);

  expect(await run('inject', NAME, '--faults', '503,500', '--seconds', '90')).toMatchObject({
    code: 0,
    out: `Injecting 503, 500 for ${NAME}, at most 90 s\n`,
  });
  expect([500, 503]).toContain(await get());
  expect((await run('list')).out).toContain('faults: 503, 500');
  expect(await run('end')).toMatchObject({ code: 0, out: 'Faults of 1 consumer ended\n' });
  expect(await get()).toBe(200);

  expect(await run('inject', 'nobody', '--faults', '500')).toMatchObject({
    code: 2,
    err: expect.stringContaining('No consumer is named "nobody"'),
  });
  expect(await run('inject', NAME, '--faults', 'nonsense')).toMatchObject({
    code: 2,
    err: expect.stringContaining('--faults has "nonsense"'),
  });
  expect(await run('inject', NAME, '--faults', '500', '--share', '101')).toMatchObject({
    code: 2,
    err: expect.stringContaining('--share must be a whole number from 1 to 100'),
  });
});
