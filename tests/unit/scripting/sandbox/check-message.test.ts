import { fc } from '../../../support/run/random.ts';
import { describe, expect, test } from 'vitest';
import { checkCount, ProtocolError } from '../../../../src-main/platform/host-pipe/checks.ts';
import {
  checkCall,
  checkConsole,
  checkPaths,
  checkRunEnd,
  checkScope,
  checkWrites,
} from '../../../../src-main/scripting/sandbox/supervisor/check-message.ts';

const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const error = { name: 'Error', message: 'no', line: 1, column: 2, stack: [{ function: 'f', line: 1, column: 2 }] };

function thrownBy(check: () => unknown): unknown {
  try {
    check();
    return null;
  } catch (thrown) {
    return thrown;
  }
}

function isRefusal(thrown: unknown): boolean {
  return thrown === null || thrown instanceof ProtocolError;
}

describe('valid messages of a host', () => {
  test.each([
    ['ok', { status: 'ok', dropped: 0, result: { a: [1, null] } }],
    ['error', { status: 'error', dropped: 2, error }],
    [
      'error with failures',
      {
        status: 'error',
        dropped: 0,
        error: {
          ...error,
          failures: [
            { tag: 't', reason: 'r' },
            { tag: 't', reason: 'r', index: 7 },
          ],
        },
      },
    ],
    ['timeout', { status: 'timeout', dropped: 0 }],
    ['memory', { status: 'memory', dropped: 0 }],
  ])('a run that ends with %s', (_, end) => {
    expect(checkRunEnd(JSON.stringify(end))).toEqual(end);
  });

  test('a call, with its line or without', () => {
    expect(checkCall('["get",3,["a"],"",""]')).toEqual({ method: 'get', line: 3, args: [['a'], '', ''] });
    expect(checkCall('["set",null]')).toEqual({ method: 'set', line: null, args: [] });
  });

  test('arguments of Get and Set', () => {
    expect(checkPaths(['__proto__', 'x'.repeat(1e6)])).toHaveLength(2);
    expect(checkWrites([{ tag: 'a', value: { b: [1] } }])).toHaveLength(1);
    const unfit = [{ digits: '-123' }, { lost: 'the value is NaN' }, { problem: 'the value is a Map' }];
    expect(checkWrites(unfit.map((one) => ({ tag: 'a', value: null, unfit: one })))).toHaveLength(3);
    expect(checkScope('D', '')).toEqual({ diagram: 'D', location: '' });
  });
});

describe('invalid messages of a host', () => {
  test.each([
    ['no JSON', 'nonsense'],
    ['nothing', ''],
    ['null', 'null'],
    ['a list', '[]'],
    ['no status', '{"dropped":0}'],
    ['an unknown status', '{"status":"cancelled","dropped":0}'],
    ['no result', '{"status":"ok","dropped":0}'],
    ['a member more', '{"status":"ok","dropped":0,"result":1,"more":1}'],
    ['a negative count', '{"status":"ok","dropped":-1,"result":1}'],
    ['a count that is text', '{"status":"ok","dropped":"1","result":1}'],
    ['a result that is nested too deeply', `{"status":"ok","dropped":0,"result":${deep(300)}}`],
    ['a result that would overflow the stack', `{"status":"ok","dropped":0,"result":${deep(100_000)}}`],
    ['an error that is text', '{"status":"error","dropped":0,"error":"no"}'],
    ['an error without stack', '{"status":"error","dropped":0,"error":{"name":"E","message":"m","line":1,"column":1}}'],
    ['an error in line -1', JSON.stringify({ status: 'error', dropped: 0, error: { ...error, line: -1 } })],
    ['an error in line 1.5', JSON.stringify({ status: 'error', dropped: 0, error: { ...error, line: 1.5 } })],
    [
      'an endless message',
      JSON.stringify({ status: 'error', dropped: 0, error: { ...error, message: 'x'.repeat(1e5) } }),
    ],
    [
      'an endless stack',
      JSON.stringify({ status: 'error', dropped: 0, error: { ...error, stack: Array(100).fill(error.stack[0]) } }),
    ],
    [
      'a failure in an impossible place',
      JSON.stringify({
        status: 'error',
        dropped: 0,
        error: { ...error, failures: [{ tag: 't', reason: 'r', index: -1 }] },
      }),
    ],
    ['failures that are none', JSON.stringify({ status: 'error', dropped: 0, error: { ...error, failures: [1] } })],
  ])('a run that ends with %s', (_, text) => {
    expect(() => checkRunEnd(text)).toThrow(ProtocolError);
  });

  test.each(['{}', '[]', '["get"]', '[1,2]', '["get","3"]', '["get",-1]', '["get",1e99]', 'x', 'null'])(
    'the call %s',
    (text) => {
      expect(() => checkCall(text)).toThrow(ProtocolError);
    },
  );

  test('arguments with another shape', () => {
    expect(() => checkPaths('a')).toThrow(ProtocolError);
    expect(() => checkPaths([1])).toThrow(ProtocolError);
    expect(() => checkWrites({})).toThrow(ProtocolError);
    expect(() => checkWrites([{ tag: 'a' }])).toThrow(ProtocolError);
    expect(() => checkWrites([{ tag: 'a', value: 1, more: 1 }])).toThrow(ProtocolError);
    expect(() => checkWrites([{ tag: 1, value: 1 }])).toThrow(ProtocolError);
    expect(() => checkWrites([{ tag: 'a', value: JSON.parse(deep(300)) }])).toThrow(ProtocolError);
    expect(() => checkWrites([null])).toThrow(ProtocolError);
    const unfit = [
      null,
      {},
      [],
      'x',
      { digits: '1e5' },
      { digits: 5 },
      { lost: 'x'.repeat(1e5) },
      { lost: '', problem: '' },
    ];
    for (const one of [...unfit, { other: 'x' }, { lost: ['x'] }]) {
      expect(() => checkWrites([{ tag: 'a', value: null, unfit: one }])).toThrow(ProtocolError);
    }
    expect(() => checkWrites([{ tag: 'a', value: 1, unfit: { digits: '1' } }])).toThrow(ProtocolError);
    expect(() => checkScope(null, '')).toThrow(ProtocolError);
    expect(() => checkConsole('9text')).toThrow(ProtocolError);
    expect(() => checkConsole('')).toThrow(ProtocolError);
    for (const frame of [
      '@1|0x',
      '@x.000|0x',
      '@1.000|',
      '5',
      '5x|0|',
      '50|0|x',
      '5|9999999|x',
      '5|3|[1]x',
      '5|2|{}x',
    ]) {
      expect(() => checkConsole(frame), frame).toThrow(ProtocolError);
    }
    const node = (members: unknown, more: unknown = 0) => JSON.stringify([{ title: 'Object', members, more }]);
    const nested = (depth: number): unknown =>
      depth === 0 ? 'x' : { title: '', members: [['a', nested(depth - 1)]], more: 0 };
    const values = [
      node({}),
      node([[1, 'x']]),
      node([['a']]),
      node([], -1),
      node([], 'x'),
      JSON.stringify([nested(20)]),
    ];
    for (const json of values) expect(() => checkConsole(`5|${json.length}|${json}text`), json).toThrow(ProtocolError);
    expect(() => checkCount(Number.NaN)).toThrow(ProtocolError);
  });

  test('anything else is rejected without other exceptions', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const checks = [checkCall, checkRunEnd, (json: string) => checkWrites(JSON.parse(json))];
        expect(checks.map((check) => thrownBy(() => check(text))).every(isRefusal)).toBe(true);
      }),
    );
  });
});
