import { afterEach, expect, test, vi } from 'vitest';
import { safeStorageCipher } from '../../../src-main/desktop/safe-storage-cipher.ts';
import { safeStorage } from '../../support/electron-double/electron.ts';

vi.mock('electron', () => import('../../support/electron-double/electron.ts'));

afterEach(() => Object.assign(safeStorage, { available: false, backend: 'gnome_libsecret' }));

test('the keychain of the system seals a secret for its name only', () => {
  safeStorage.available = true;
  const cipher = safeStorageCipher();
  const sealed = cipher?.seal('ERP_KEY', 'value-1234') ?? '';
  expect(cipher?.id).toBe('system');
  expect(Buffer.from(sealed, 'base64').toString()).not.toContain('value-1234');
  expect(cipher?.open('ERP_KEY', sealed)).toBe('value-1234');
  expect(() => cipher?.open('OTHER', sealed)).toThrow('sealed for another secret');
  expect(() => cipher?.open('ERP_KEY', sealed.slice(4))).toThrow(/JSON/);
});

test('without a real keychain, the cipher is unavailable and the key file is used', () => {
  expect(safeStorageCipher()).toBeUndefined();
  Object.assign(safeStorage, { available: true, backend: 'basic_text' });
  const platform = vi.spyOn(process, 'platform', 'get').mockReturnValue('linux');
  expect(safeStorageCipher()).toBeUndefined();
  platform.mockReturnValue('win32');
  expect(safeStorageCipher()?.id).toBe('system');
  platform.mockRestore();
});
