import { expect, test } from 'vitest';
import { callerOf, importHeaders } from '../../../src-main/host/client-caller.ts';

test('a page is distinguished from a program by its origin', () => {
  expect(callerOf({ origin: 'http://127.0.0.1:1' })).toEqual({ by: 'person', from: 'window' });
  expect(callerOf({ authorization: 'Bearer x' })).toEqual({ by: 'person', from: 'command line' });
});

test('an import keeps its name over a connection, whatever characters it has', () => {
  for (const name of ['plant', 'Größe & "x"\r\ny: 1', '😀'.repeat(10), '']) {
    expect(callerOf(importHeaders(name))).toEqual({ by: 'import', from: 'command line', what: name });
  }
  expect(importHeaders(undefined)).toEqual({});
});

test('a name that is too long is shortened, and one that is not encoded is unknown', () => {
  const long = { by: 'import', from: 'command line', what: 'x'.repeat(200) };
  expect(callerOf(importHeaders('x'.repeat(1_000)))).toEqual(long);
  expect(callerOf(importHeaders(`${'x'.repeat(199)}😀`))).toEqual({ ...long, what: `${'x'.repeat(199)}\ufffd` });
  expect(callerOf({ 'tagwright-import': '%E0%A4%A' })).toMatchObject({ what: '' });
});
