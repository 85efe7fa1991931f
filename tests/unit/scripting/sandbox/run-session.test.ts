import { expect, test } from 'vitest';
import { MAX_CALL_TAGS, MAX_RUN_TAGS } from '../../../../src-main/scripting/sandbox/protocol/limits.ts';
import { FROM_HOST } from '../../../../src-main/scripting/sandbox/protocol/messages.ts';
import { RunSession } from '../../../../src-main/scripting/sandbox/supervisor/run-session.ts';
import { columns, jobOf } from '../../../support/scripting/script-runs.ts';

const MB = 1024 ** 2;

function sessionOf(scriptMs: number) {
  const counts: number[] = [];
  const get = (tags: string[]) => {
    counts.push(tags.length);
    return columns([]);
  };
  const session = new RunSession(jobOf('', { limits: { scriptMs }, calls: { get, set: () => columns([]) } }), 0);
  const responses: string[] = [];
  const call = (paths: string[], times = 1) => {
    const text = JSON.stringify(['get', 1, paths, '', '']);
    for (let left = times; left > 0; left -= 1) {
      session.receive(FROM_HOST.call, text, (response) => responses.push(response));
    }
  };
  return { session, counts, responses, call };
}

test('calls of a run that are too large together get an error, unread', () => {
  const { counts, responses, call } = sessionOf(10);
  call(['x'.repeat(60 * MB)], 20);
  expect(counts).toHaveLength(17);
  expect(responses[17]).toContain('the calls of this run carry more than');
});

test('a call with too many tags gets an error, and the next one works', () => {
  const { counts, responses, call } = sessionOf(1_000);
  call(Array<string>(MAX_CALL_TAGS + 1).fill('a'));
  call(['a']);
  expect(counts).toEqual([1]);
  expect(JSON.parse(responses[0] ?? '')).toEqual({
    error: { message: 'one Get takes at most 1,048,576 tags, but this one has 1,048,577; split it into several' },
  });
});

test('calls of a run with too many tags together get an error', () => {
  const { counts, responses, call } = sessionOf(60_000);
  const most = Math.floor(MAX_RUN_TAGS / MAX_CALL_TAGS);
  call(Array<string>(MAX_CALL_TAGS).fill('a'), most + 1);
  expect(counts).toHaveLength(most);
  expect(responses.at(-1)).toContain('the calls of this run name more than 20,000,000 tags in total');
});

test('delays of main are excused for at most the limit again, or 5 s', () => {
  const now = performance.now() + 60_000;
  const scriptMsAfter = (limit: number, excused: number) => {
    const { session } = sessionOf(limit);
    for (let late = 0; late < excused; late += 1_000) session.excludeFromScriptTime(1_000);
    return Math.round(session.elapsed(now).scriptMs / 1_000);
  };
  expect(scriptMsAfter(1_000, 3_000)).toBe(57);
  expect(scriptMsAfter(1_000, 40_000)).toBe(55);
  expect(scriptMsAfter(20_000, 40_000)).toBe(40);
});

test('a repeated Get reads the tags again, and a different one its own tags', () => {
  const { counts, responses, call } = sessionOf(1_000);
  for (const paths of [['a'], ['a'], ['a', 'b'], ['a']]) call(paths);
  expect(counts).toEqual([1, 1, 2, 1]);
  expect(responses).toHaveLength(4);
});
