import { expect, test } from 'vitest';
import { withoutOsSandbox } from '../../../../src-main/platform/os-sandbox/os-sandbox.ts';
import { ReaderPool } from '../../../../src-main/storage/plant/reader-pool.ts';

test('a read after the end starts no process, and fails at once', async () => {
  const pool = new ReaderPool({
    nodeBinary: '/nowhere/node',
    hostFile: '/nowhere/host.js',
    file: '/nowhere/plant.db',
    sandbox: withoutOsSandbox('a test'),
  });
  await pool.close();
  expect(await pool.read([{ sql: 'SELECT 1' }], { ms: 1_000, rows: 10 })).toEqual({
    error: { fault: 'lost', message: 'the workspace is closed' },
  });
});
