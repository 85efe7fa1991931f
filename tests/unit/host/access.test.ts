import { expect, test } from 'vitest';
import type { BrowserSession } from '../../../src-main/host/access.ts';
import { createAccess } from '../../../src-main/host/access.ts';

function access(times = { linkMs: 60_000, sessionMs: 3_600_000 }) {
  let now = Date.parse('2026-01-01T00:00:00Z');
  const made = createAccess(
    () => times,
    () => now,
  );
  const letIn = (): BrowserSession => made.exchange(made.issue()) ?? { session: '', key: '' };
  return { made, times, letIn, wait: (ms: number) => void (now += ms) };
}

test('a link opens one session, within its lifetime', () => {
  const { made, wait } = access();
  const [used, late] = [made.issue(), made.issue()];
  wait(60_000);
  expect(made.exchange(used)).toEqual({
    session: expect.stringMatching(/^[\w-]{43}$/),
    key: expect.stringMatching(/^[\w-]{43}$/),
  });
  expect(made.exchange(used)).toBeNull();
  wait(1);
  expect(made.exchange(late)).toBeNull();
  expect(made.exchange('')).toBeNull();
});

test('a session lasts from its last use; a changed setting applies at once', () => {
  const { made, letIn, wait, times } = access();
  const { session, key } = letIn();
  for (let hour = 0; hour < 5; hour += 1) {
    wait(3_600_000);
    expect(made.hasSession(session, key)).toBe(true);
  }
  wait(1);
  // Other ports of this machine also get the cookie. Without the right key, it does not extend the session.
  expect([made.hasSession(session), made.hasSession(session, 'wrong')]).toEqual([true, false]);
  wait(3_600_000);
  expect(made.hasSession(session)).toBe(false);
  const other = letIn();
  wait(1_000);
  times.sessionMs = 999;
  expect(made.hasSession(other.session)).toBe(false);
});

test('an open window keeps its session; time counts from closing the last one', () => {
  const { made, letIn, wait } = access();
  const { session } = letIn();
  const [first, second] = [made.opened(session, () => {}), made.opened(session, () => {})];
  wait(10_000_000);
  expect(made.hasSession(session)).toBe(true);
  wait(10_000_000);
  first();
  wait(10_000_000);
  second();
  wait(3_600_000);
  expect(made.hasSession(session)).toBe(true);
});

test('the RPC requires the key of the same session', () => {
  const { made, letIn } = access();
  const [mine, other] = [letIn(), letIn()];
  expect(made.hasSession(mine.session, mine.key)).toBe(true);
  for (const wrong of [other.key, '', mine.session, `${mine.key}x`])
    expect(made.hasSession(mine.session, wrong)).toBe(false);
});

test('signing out ends every session with its windows, and unused links', () => {
  const { made, letIn } = access();
  const link = made.issue();
  const [first, second] = [letIn(), letIn()];
  const ended: string[] = [];
  made.opened(first.session, () => ended.push('first'));
  made.opened(second.session, () => ended.push('second'));
  made.opened(second.session, () => ended.push('second again'));
  expect(made.signOut()).toBe(2);
  expect(ended).toEqual(['first', 'second', 'second again']);
  expect(made.hasSession(first.session)).toBe(false);
  expect(made.exchange(link)).toBeNull();
  expect(made.signOut()).toBe(0);
});

test('many links and sessions use little memory, and end no session with a window', () => {
  const { made, letIn } = access();
  const { session } = letIn();
  made.opened(session, () => {});
  const unopened = letIn();
  const links = Array.from({ length: 101 }, () => made.issue());
  expect(made.exchange(links[0] ?? '')).toBeNull();
  for (let at = 0; at < 200; at += 1) letIn();
  expect(made.hasSession(session)).toBe(true);
  expect(made.hasSession(unopened.session)).toBe(false);
});
