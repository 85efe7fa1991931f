import { expect, test } from 'vitest';
import { partsOfUrl } from '../../../../../src-renderer/features/mocks/url-cell.tsx';

test.each([
  ['https://caps.example/api/orders?x=1', 'caps.example', '/api/orders?x=1'],
  ['http://127.0.0.1:9/', 'http://127.0.0.1:9', '/'],
  ['https://*.example/api/{id}/**', '*.example', '/api/{id}/**'],
  ['**/orders', '**', '/orders'],
  ['https://caps.example?page=2', 'caps.example', '?page=2'],
  ['HTTP://a.example', 'HTTP://a.example', ''],
  ['', '', ''],
])('%s is the host "%s" and the path "%s"', (url, host, path) => {
  expect(partsOfUrl(url)).toEqual({ host, path });
});
