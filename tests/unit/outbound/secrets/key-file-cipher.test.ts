import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { KeyFileCipher } from '../../../../src-main/outbound/secrets/key-file-cipher.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';

const modeOf = (file: string) => statSync(file).mode & 0o777;

test('the key file is private to its owner, even after a copy lost that', () => {
  const file = join(temporaryFolder(), 'secret.key');
  const sealed = new KeyFileCipher(file).seal('ERP_KEY', 'value-1234');
  expect(sealed).not.toContain('value');
  expect(modeOf(file)).toBe(0o600);
  chmodSync(file, 0o644);
  expect(new KeyFileCipher(file).open('ERP_KEY', sealed)).toBe('value-1234');
  expect(modeOf(file)).toBe(0o600);
});

test('sealed values open only complete and under their name, and always differ', () => {
  const cipher = new KeyFileCipher(join(temporaryFolder(), 'secret.key'));
  const sealed = cipher.seal('ERP_KEY', 'value-1234');
  expect(cipher.seal('ERP_KEY', 'value-1234')).not.toBe(sealed);
  const bytes = Buffer.from(sealed, 'base64');
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  for (const [name, text] of [
    ['OTHER', sealed],
    ['ERP_KEY', bytes.toString('base64')],
    ['ERP_KEY', sealed.slice(0, 10)],
    ['ERP_KEY', ''],
  ] as const) {
    expect(() => cipher.open(name, text)).toThrow(/unable to authenticate|Invalid/);
  }
});

test('a key that exists is kept, and used although its file is replaced later', () => {
  const file = join(temporaryFolder(), 'secret.key');
  const cipher = new KeyFileCipher(file);
  cipher.ensureKey();
  const text = readFileSync(file, 'utf8');
  cipher.ensureKey();
  expect(readFileSync(file, 'utf8')).toBe(text);
  writeFileSync(file, `${Buffer.alloc(32, 7).toString('base64')}\n`);
  const sealed = cipher.seal('ERP_KEY', 'value-1234');
  writeFileSync(file, text);
  expect(new KeyFileCipher(file).open('ERP_KEY', sealed)).toBe('value-1234');
});

test.each(['', 'AAAA', '\u0000\u00ff!!'])('a key file with %j is reported and left unchanged', (text) => {
  const file = join(temporaryFolder(), 'secret.key');
  writeFileSync(file, text, { mode: 0o600 });
  expect(() => new KeyFileCipher(file).seal('ERP_KEY', 'value-1234')).toThrow(/is not a key of Tagwright/);
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test.each<[string, (file: string) => void]>([
  ['a folder', (file) => mkdirSync(file)],
  ['a link that leads nowhere', (file) => symlinkSync('/no/such/key', file)],
])('%s instead of the key file is reported, and no key is created', (_, make) => {
  const file = join(temporaryFolder(), 'secret.key');
  make(file);
  const cipher = new KeyFileCipher(file);
  const said = expect.objectContaining({
    code: 'CONFLICT',
    message: expect.stringMatching(/cannot be read \(E.*delete it/),
  });
  expect(() => cipher.seal('ERP_KEY', 'value-1234')).toThrow(said);
  expect(() => cipher.open('ERP_KEY', 'AAAA')).toThrow(said);
});
