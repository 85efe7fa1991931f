import { expect, test } from 'vitest';
import { DEFAULT_SETTINGS } from '#domain/workspace/settings';
import { publicPart } from '#domain/workspace/private-settings';
import { exportedSettings } from '../../../src-main/exchange/write-folder.ts';

test.each([
  ['http://plant:pa55word@proxy:3128', 'http://plant@proxy:3128'],
  ['https://plant:p@ss:w@proxy:3128/', 'https://plant@proxy:3128/'],
  ['HTTP://:pa55word@[::1]:3128', 'HTTP://@[::1]:3128'],
  ['http://plant:{{secret:PROXY}}x@proxy', 'http://plant@proxy'],
])('%s is exported as %s', (proxy, exported) => {
  expect(publicPart('api.proxy', proxy)).toBe(exported);
});

test.each(['', 'http://proxy:3128', 'http://plant@proxy:3128', 'http://plant:{{secret:PROXY}}@proxy:3128'])(
  '"%s" contains no password and stays',
  (proxy) => {
    expect(publicPart('api.proxy', proxy)).toBe(proxy);
  },
);

test('omitted secrets are listed, and only those', () => {
  const secret = {
    ...DEFAULT_SETTINGS,
    'events.apiKey': 'key-k3y-key',
    'api.proxy': 'http://plant:pa55word@proxy',
    'updates.feed': 'https://example.com/feed.json?sig=t0ken',
  };
  const { settings, leftOut } = exportedSettings(secret);
  expect(leftOut).toEqual(['events.apiKey', 'api.proxy', 'updates.feed']);
  expect(JSON.stringify(settings)).not.toMatch(/key-k3y-key|pa55word|t0ken/);
  expect(settings['updates.feed']).toBe('https://example.com/feed.json');
  expect(exportedSettings(DEFAULT_SETTINGS).leftOut).toEqual([]);
});

test('the folder for recorded mocks is exported only if there is one', () => {
  expect(exportedSettings(DEFAULT_SETTINGS).settings).not.toHaveProperty('api.recordFolder');
  const { settings } = exportedSettings({ ...DEFAULT_SETTINGS, 'api.recordFolder': 'ERP/Orders' });
  expect(settings['api.recordFolder']).toBe('ERP/Orders');
});
