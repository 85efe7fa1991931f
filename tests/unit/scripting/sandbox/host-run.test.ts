import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { run } from '../../../../src-main/scripting/sandbox/child/run.ts';
import type { Realm, Realms } from '../../../../src-main/scripting/sandbox/child/realms.ts';
import { GUEST_REQUEST } from '../../../../src-main/scripting/sandbox/guest/bridge.ts';
import { FROM_HOST, type RunStart, TO_HOST } from '../../../../src-main/scripting/sandbox/protocol/messages.ts';

type GuestRequest = (request: unknown, text?: unknown) => unknown;

const BEGIN = { tagName: 'A.B.C', tagScopeDiagram: null, tagScopeLocation: null };
const LIMITS = { scriptMs: 50, memoryMb: 64, consoleEntries: 3, resultBytes: 1_000 };

/** Runs code instead of the guest. Returns the messages that main got, and how the run ended. */
function runGuest(
  guest: (request: GuestRequest, realm: Realm) => void,
  frames: { type: number; text: string }[] = [],
  options: Partial<RunStart> = {},
): {
  sent: [number, string][];
  end: unknown;
  threw: boolean;
  realm: Realm | null;
} {
  const sent: [number, string][] = [];
  const pipe = {
    write: (type: number, text: string) => void sent.push([type, text]),
    hold: (type: number, text: string) => void sent.push([type, text]),
    readBytes: () => null,
    read: () => frames.shift() ?? { type: TO_HOST.response, text: '{"value":1}' },
  };
  const made: Realm = { context: {} as Realm['context'], respond: null };
  const realms = {
    lost: false,
    limitMemory: () => undefined,
    compile: () => ({ runSync: () => guest((request, text = '') => made.respond?.(request, text), made) }),
    take: () => made,
  };
  const request = { body: '', context: BEGIN, limits: LIMITS, ...options };
  const { json, threw, realm } = run(request, realms as unknown as Realms, pipe);
  return { sent, end: JSON.parse(json), threw, realm };
}

const REFUSED = '{"error":{"message":"the run has ended; later calls have no effect"}}';
const GET = '["get",1,["a"],"",""]';

describe('a script that has obtained the function out of its realm', () => {
  test('gets no response before the run has started', () => {
    const seen: unknown[] = [];
    const { sent } = runGuest((request) => {
      seen.push(
        request(GUEST_REQUEST.call, GET),
        request(GUEST_REQUEST.console, '0x'),
        request(GUEST_REQUEST.returned, '1'),
      );
    });
    expect(seen).toEqual([REFUSED, '', '']);
    expect(sent).toEqual([]);
  });

  test('starts once', () => {
    const seen: unknown[] = [];
    runGuest((request) => seen.push(request(GUEST_REQUEST.begin), request(GUEST_REQUEST.begin)));
    expect(seen.map((text) => text === '')).toEqual([false, true]);
  });

  test.each([
    ['returned', GUEST_REQUEST.returned, '1', { status: 'ok', result: 1, dropped: 0 }],
    ['threw', GUEST_REQUEST.threw, '{"name":"E"}', { status: 'error', error: { name: 'E' }, dropped: 0 }],
  ])('can do nothing once the body has %s', (_, settle, text, end) => {
    const seen: unknown[] = [];
    const outcome = runGuest((request) => {
      request(GUEST_REQUEST.begin);
      request(settle, text);
      seen.push(
        request(GUEST_REQUEST.call, GET),
        request(GUEST_REQUEST.image),
        request(GUEST_REQUEST.console, '0x'),
        request(GUEST_REQUEST.consoleDropped, '5'),
      );
      seen.push(
        request(GUEST_REQUEST.returned, '2'),
        request(GUEST_REQUEST.threw, '{"name":"later"}'),
        request(GUEST_REQUEST.begin),
      );
    });
    expect(seen).toEqual([REFUSED, '', '', '', '', '', '']);
    expect(outcome.sent).toEqual([]);
    expect(outcome.end).toEqual(end);
  });

  test('can do nothing after the run', () => {
    const { realm } = runGuest((request) => request(GUEST_REQUEST.begin));
    expect(realm?.respond).toBeNull();
  });

  test('cannot make the host send messages for which main would end it', () => {
    const long = 'ü'.repeat(40_000_000);
    const seen: unknown[] = [];
    const { sent, end } = runGuest((request) => {
      request(GUEST_REQUEST.begin);
      seen.push(
        request(GUEST_REQUEST.call, long),
        request(GUEST_REQUEST.call, { length: 1 }),
        request(99, 'x'),
        request('call', GET),
      );
      request(GUEST_REQUEST.console, 'x without a level');
      request(GUEST_REQUEST.console, `0${'ü'.repeat(100_000)}`);
      for (const count of ['-1', 'NaN', '1e99', '3', '2', '4', '6', '5']) request(GUEST_REQUEST.consoleDropped, count);
      for (let entry = 0; entry < 10; entry += 1) request(GUEST_REQUEST.console, `0${entry}`);
    });
    expect(seen[0]).toContain('one call can carry at most 64 MB; split it into several');
    expect(seen.slice(1)).toEqual([REFUSED, '', '']);
    const entries = sent.filter(([type]) => type === FROM_HOST.console).map(([, text]) => text);
    expect(sent.slice(0, 2)).toEqual([
      [FROM_HOST.consoleDropped, '3'],
      [FROM_HOST.consoleDropped, '6'],
    ]);
    // The first ones at once, the last ones at the end.
    expect(entries.slice(0, 3)).toEqual(['00', '01', '02']);
    expect(entries.slice(-3).map((text) => text.replace(/^@\d+\.\d{3}\|/, ''))).toEqual(['07', '08', '09']);
    expect(end).toMatchObject({ status: 'error', dropped: 6 + 10 - entries.length });
  });

  test.each([
    ['a result', GUEST_REQUEST.returned, /the result exceeds/],
    ['an error', GUEST_REQUEST.threw, /too large to report/],
  ])('cannot return %s that is larger than main accepts', (_, settle, says) => {
    const { end } = runGuest((request) => {
      request(GUEST_REQUEST.begin);
      request(settle, `"${'ü'.repeat(2_000_000)}"`);
    });
    expect(end).toMatchObject({ status: 'error', error: { message: expect.stringMatching(says) } });
  });
});

describe('a rejection with the message of a timeout', () => {
  const reject = (): never => {
    throw new Error('Script execution timed out.');
  };

  test('is not a timeout while there is time left', () => {
    // However busy the machine is.
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const outcome = runGuest((request) => {
      request(GUEST_REQUEST.begin);
      request(GUEST_REQUEST.returned, '7');
      reject();
    });
    expect(outcome).toMatchObject({ end: { status: 'ok', result: 7 }, threw: true });
    expect(outcome.sent).toEqual([[FROM_HOST.console, expect.stringContaining('without a handler')]]);
  });

  test('is a timeout when the time is over', () => {
    const outcome = runGuest((request) => {
      request(GUEST_REQUEST.begin);
      for (const end = performance.now() + LIMITS.scriptMs; performance.now() < end;);
      reject();
    });
    expect(outcome).toMatchObject({ end: { status: 'timeout' }, threw: true });
  });
});

describe('a Get that main has sent ahead', () => {
  const NOW = 1_750_000_000_000;
  const AHEAD = { type: TO_HOST.ahead, text: `${NOW}\n["b"],"",""\n{"value":"b"}\n["c"],"",""\n{"value":"c"}` };
  const RESPONSE = { type: TO_HOST.response, text: '{"value":"a"}' };
  const get = (path: string, line: number | null = 1) => `["get",${line},["${path}"],"",""]`;
  afterEach(() => void vi.useRealTimers());

  /** The responses to these calls, and what main got. */
  function responsesTo(calls: readonly string[], at: readonly number[] = []) {
    vi.useFakeTimers({ toFake: ['Date', 'performance'], now: NOW });
    const responses: unknown[] = [];
    const { sent } = runGuest(
      (request) => {
        request(GUEST_REQUEST.begin);
        for (const [index, text] of calls.entries()) {
          vi.setSystemTime(at[index] ?? NOW);
          responses.push(request(GUEST_REQUEST.call, text));
        }
      },
      [AHEAD, RESPONSE],
    );
    return { responses, sent: sent.filter(([type]) => type === FROM_HOST.call || type === FROM_HOST.used) };
  }

  test('gets its response at once, and main gets a note', () => {
    const { responses, sent } = responsesTo([get('a'), get('c', 7), get('b', null)]);
    expect(responses).toEqual(['{"value":"a"}', '{"value":"c"}', '{"value":"b"}']);
    expect(sent).toEqual([
      [FROM_HOST.call, get('a')],
      [FROM_HOST.used, '1,7,0'],
      [FROM_HOST.used, '0,null,0'],
    ]);
  });

  test('is read by main when the clock shows another ms, earlier or later', () => {
    for (const then of [NOW - 1, NOW + 1]) {
      const { responses, sent } = responsesTo([get('a'), get('b')], [NOW, then]);
      expect(responses).toEqual(['{"value":"a"}', '{"value":1}']);
      expect(sent.at(-1)).toEqual([FROM_HOST.call, get('b')]);
    }
  });

  test('is read by main when time has passed, whatever the clock shows', () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'], now: NOW });
    const { sent } = runGuest(
      (request) => {
        request(GUEST_REQUEST.begin);
        request(GUEST_REQUEST.call, get('a'));
        vi.advanceTimersByTime(3);
        vi.setSystemTime(NOW);
        request(GUEST_REQUEST.call, get('b'));
      },
      [AHEAD, RESPONSE],
    );
    expect(sent.slice(0, 2)).toEqual([
      [FROM_HOST.call, get('a')],
      [FROM_HOST.call, get('b')],
    ]);
  });

  test('is answered at any time in a replay, where it can be an API call', () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'], now: NOW });
    const api = '"Fetch",["http://x/","get"]';
    const ahead = `${NOW - 5},2,4\n${api}\n{"value":"api"}\n["b"],"",""\n{"value":"b"}`;
    const readings = { start: 100, steps: [1, 2, 3, 4, 5, 6].map((ms): [number, number] => [1, ms]) };
    const seen: unknown[] = [];
    const { sent } = runGuest(
      (request) => {
        request(GUEST_REQUEST.begin);
        seen.push(request(GUEST_REQUEST.call, get('a')));
        vi.advanceTimersByTime(5_000);
        seen.push(request(GUEST_REQUEST.call, `["api",3,${api}]`), request(GUEST_REQUEST.clock, ''));
        seen.push(request(GUEST_REQUEST.call, get('b', 4)), request(GUEST_REQUEST.clock, ''));
      },
      [{ type: TO_HOST.ahead, text: ahead }, RESPONSE],
      { recorded: { seed: '00'.repeat(32), readings } },
    );
    expect(seen).toEqual(['{"value":"a"}', '{"value":"api"}', '103', '{"value":"b"}', '105']);
    expect(sent.filter(([type]) => type === FROM_HOST.call || type === FROM_HOST.used)).toEqual([
      [FROM_HOST.call, get('a')],
      [FROM_HOST.used, '0,3,999000'],
      [FROM_HOST.used, '1,4,999000'],
    ]);
  });

  test('is read by main the second time, and after any other call', () => {
    for (const between of [get('b'), get('other'), '["set",1,[],"",""]']) {
      const { sent } = responsesTo([get('a'), between, get('b')]);
      expect(sent.at(-1)).toEqual([FROM_HOST.call, get('b')]);
    }
    const scoped = '["get",1,["b"],"Diagram",""]';
    expect(responsesTo([get('a'), scoped]).sent.at(-1)).toEqual([FROM_HOST.call, scoped]);
  });
});
