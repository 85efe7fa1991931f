import { expect, test } from 'vitest';
import { runCommand } from '../run-command.ts';

test('db try prints columns and rows, or JSON alone', async () => {
  const read = await runCommand(['db', 'try', 'SELECT 1']);
  expect(read).toMatchObject({ code: 0, out: 'sql         value\n"SELECT 1"  null\n', err: '1 row; 0.5 ms\n' });
  const args = ['db', 'try', 'UPDATE t SET a = :a', '--write', '--value', '{"a":1}'];
  const written = await runCommand(args);
  expect(written.out).toContain('{"a":1}');
  expect(written.err).toBe('1 row changed, and rolled back; 0.5 ms\n');
  const json = await runCommand([...args, '--json']);
  expect(JSON.parse(json.out)).toMatchObject({ columns: ['sql', 'value'], changes: 1 });
});

test('db try requires JSON for the value', async () => {
  expect(await runCommand(['db', 'try', 'SELECT 1', '--value', 'text'])).toMatchObject({ code: 2 });
});
