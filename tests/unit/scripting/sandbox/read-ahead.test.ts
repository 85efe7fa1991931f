import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DEFAULT_SCOPE } from '#domain/tag/scope';
import { MAX_AHEAD } from '../../../../src-main/scripting/sandbox/protocol/limits.ts';
import { FROM_HOST } from '../../../../src-main/scripting/sandbox/protocol/messages.ts';
import type { HostCalls } from '../../../../src-main/scripting/sandbox/script-run.ts';
import { ReadHabits, ScriptHabits } from '../../../../src-main/scripting/sandbox/supervisor/read-ahead.ts';
import { RunSession } from '../../../../src-main/scripting/sandbox/supervisor/run-session.ts';
import { columns, jobOf } from '../../../support/scripting/script-runs.ts';

// Nothing is sent ahead when the clock moves on in the meantime.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

const keyOf = (path: string) => `["${path}"],"",""`;

/** A run of a script with these habits, whose tags have their names as values; `slow` ones can't be sent ahead. */
function runOf(habits: ReadHabits | null, onRead: () => void = () => undefined) {
  const used: [string, number | null][] = [];
  const calls: HostCalls = {
    get: (tags) => columns(tags),
    set: () => columns([]),
    ahead(tags) {
      onRead();
      const [tag = ''] = tags;
      return tag === 'slow' ? null : { columns: columns([tag]), used: (line) => used.push([tag, line]) };
    },
  };
  const session = new RunSession(jobOf('', { calls }), 0, undefined, habits);
  let ahead: string[] = [];
  const receive = (type: number, text: string) =>
    void session.receive(type, text, (_response, _image, frame) => {
      const [, ...lines] = frame?.split('\n') ?? [];
      ahead = lines.filter((_, index) => index % 2 === 0);
    });
  return {
    used,
    session,
    /** The script makes a Get; returns the values that are sent ahead with its response. */
    get: (path: string, line = 1) => {
      receive(FROM_HOST.call, `["get",${line},${keyOf(path)}]`);
      return ahead;
    },
    set: () => receive(FROM_HOST.call, '["set",1,[],"",""]'),
    use: (place: number, line: number | null = 1) => receive(FROM_HOST.used, `${place},${line},10`),
    end: () => receive(FROM_HOST.done, '{"status":"ok","dropped":0,"result":null}'),
  };
}

describe('the calls of a replay', () => {
  function replay(keys: readonly string[]) {
    const used: [string, number | null][] = [];
    let last = 0;
    const asked: number[] = [];
    const calls: HostCalls = {
      get: (tags) => columns(tags),
      set: () => columns([]),
      upcoming(most) {
        asked.push(most);
        const next = keys.slice(last, last + most);
        return next.map((key, at) => ({
          key,
          value: key,
          reading: last + at,
          tags: 1,
          used: (line) => {
            last = keys.indexOf(key) + 1;
            used.push([key, line]);
          },
        }));
      },
    };
    const session = new RunSession(jobOf('', { calls }), 0, undefined, null);
    let sent: string | null = null;
    const receive = (type: number, text: string) =>
      void session.receive(type, text, (_response, _image, frame) => (sent = frame));
    return { used, asked, receive, sent: () => sent?.split('\n') ?? [] };
  }
  const call = (line: number) => `["get",${line},${keyOf('other')}]`;

  test('are sent with every response, with their places in the clock', () => {
    const { used, receive, sent } = replay(['a', 'b', 'c', 'd', 'e']);
    receive(FROM_HOST.call, call(1));
    const [head, ...lines] = sent();
    expect(head).toMatch(/^\d+,0,1,2,3$/);
    expect(lines).toEqual(['a', 'b', 'c', 'd'].flatMap((key) => [key, JSON.stringify({ value: key })]));
    receive(FROM_HOST.used, '2,7,10');
    receive(FROM_HOST.used, '0,null,999000');
    expect(used).toEqual([
      ['c', 7],
      ['a', null],
    ]);
    expect(() => receive(FROM_HOST.used, '2,7,10')).toThrow('not sent ahead');
    receive(FROM_HOST.call, call(2));
    expect(() => receive(FROM_HOST.used, '9,1,10')).toThrow('not sent ahead');
  });

  test('are more while the script uses them all, and fewer when it does not', () => {
    const { asked, receive } = replay(Array.from({ length: 99 }, (_, n) => `${n}`));
    const makeAll = (count: number) => {
      for (let place = 0; place < count; place += 1) receive(FROM_HOST.used, `${place},1,10`);
    };
    receive(FROM_HOST.call, call(1));
    makeAll(4);
    receive(FROM_HOST.call, call(2));
    makeAll(8);
    for (let line = 3; line < 6; line += 1) receive(FROM_HOST.call, call(line));
    expect(asked).toEqual([4, 8, 16, 8, 4]);
  });
});

/** The habits of a script that made these Gets in one run, one by one. */
function habitsOf(...paths: string[]): ReadHabits {
  const habits = new ReadHabits();
  const { get, end } = runOf(habits);
  for (const path of paths) get(path);
  end();
  return habits;
}

describe('Gets before they are made', () => {
  test('are those that followed before, with the first response', () => {
    const { get } = runOf(habitsOf('a', 'b', 'c'));
    expect(get('a')).toEqual([keyOf('b'), keyOf('c')]);
  });

  test('are none in the first run, and none of a long script', () => {
    const { get } = runOf(new ReadHabits());
    expect(get('a')).toEqual([]);
    expect(new ScriptHabits().of('x'.repeat(50_001))).toBeNull();
  });

  test('are recorded when the script makes them, with their lines', () => {
    const { get, use, used } = runOf(habitsOf('a', 'b', 'c'));
    get('a');
    use(0, 7);
    use(1, null);
    expect(used).toEqual([
      ['b', 7],
      ['c', null],
    ]);
  });

  test('never repeat a Get: a loop that waits for a value reads it each time', () => {
    const { get } = runOf(habitsOf('a', 'b', 'a', 'b'));
    expect(get('a')).toEqual([keyOf('b')]);
    expect(runOf(habitsOf('a', 'a', 'a')).get('a')).toEqual([]);
  });

  test('do not follow a Set', () => {
    const habits = new ReadHabits();
    const { get, set, end } = runOf(habits);
    get('a');
    set();
    get('b');
    end();
    expect(runOf(habits).get('a')).toEqual([]);
  });

  test('stop at a value that is not in memory', () => {
    const { get } = runOf(habitsOf('a', 'b', 'slow', 'c'));
    expect(get('a')).toEqual([keyOf('b')]);
  });

  test('become more while scripts use them all, and fewer while they do not', () => {
    const paths = Array.from({ length: 60 }, (_, index) => `tag${index}`);
    const habits = habitsOf(...paths);
    const { get, use, end } = runOf(habits);
    const lengths: number[] = [];
    for (let next = 0; next < paths.length;) {
      const { length } = get(`tag${next}`);
      for (let place = 0; place < length; place += 1) use(place);
      lengths.push(length);
      next += length + 1;
    }
    end();
    expect(lengths.slice(0, 4)).toEqual([4, 8, 16, MAX_AHEAD]);
    for (let run = 0; run < 8; run += 1) {
      const { get: unused } = runOf(habits);
      unused('tag0');
      unused('tag1');
    }
    expect(runOf(habits).get('tag0')).toHaveLength(1);
  });

  test('are void if reading them takes until the next ms', () => {
    const habits = habitsOf('a', 'b');
    const { get, use } = runOf(habits, () => vi.advanceTimersByTime(1));
    expect(get('a')).toEqual([]);
    expect(() => use(0)).toThrow('not sent ahead');
  });

  test('are forgotten when something else follows', () => {
    const habits = habitsOf('a', 'b');
    const second = runOf(habits);
    second.get('a');
    second.get('other');
    second.end();
    expect(runOf(habits).get('a')).toEqual([keyOf('other')]);
  });

  test('have arguments that main has written: other hosts get them', () => {
    const habits = new ReadHabits();
    const { session, end } = runOf(habits);
    session.receive(FROM_HOST.call, '["get",1,["a"],"",""]', () => undefined);
    session.receive(FROM_HOST.call, '["get",1,[ "b\\u0061\\n" ],"",\n""]', () => undefined);
    end();
    expect(runOf(habits).get('a')).toEqual(['["ba\\n"],"",""']);
  });

  test('are bounded by the remembered scripts and Gets', () => {
    const scripts = new ScriptHabits();
    const first = scripts.of('first');
    for (let index = 0; index < 100; index += 1) scripts.of(`script ${index}`);
    expect(scripts.of('first')).not.toBe(first);
    const long = 'x'.repeat(301);
    expect(runOf(habitsOf('a', long, 'b')).get('a')).toEqual([]);
    const last = { key: keyOf('z'), paths: ['z'], scope: DEFAULT_SCOPE };
    const habits = habitsOf(...Array.from({ length: 80 }, (_, index) => `tag${index}`));
    habits.followed(last, last);
    expect(habits.after(last)).toEqual([]);
    expect(runOf(habits).get('tag70')).toEqual([]);
  });
});

describe('a host that lies', () => {
  const broken = [
    ['uses a value that was not sent', ({ use }: ReturnType<typeof runOf>) => use(5)],
    [
      'uses a value twice',
      ({ use }: ReturnType<typeof runOf>) => {
        use(0);
        use(0);
      },
    ],
    [
      'uses a value after another call',
      ({ set, use }: ReturnType<typeof runOf>) => {
        set();
        use(0);
      },
    ],
  ] as const;
  test.each(broken)('%s, and is ended', (_, lie) => {
    const run = runOf(habitsOf('a', 'b'));
    run.get('a');
    expect(() => lie(run)).toThrow('the use of a value that was not sent ahead');
  });

  test.each(['', '1', 'x,1,1', '0,,1', '0,1,-1', '0,9999999999,1', '0,1,1e3', '0,1,1\n'])('%j is no use', (text) => {
    const run = runOf(habitsOf('a', 'b'));
    run.get('a');
    expect(() => run.session.receive(FROM_HOST.used, text, () => undefined)).toThrow(/use of a value/);
  });
});
