import { expect, test } from 'vitest';
import { Breakpoints, PLAIN } from '../../../../../../src-renderer/features/scripts/debug/model/breakpoints.ts';
import { DebugSessions } from '../../../../../../src-renderer/features/scripts/debug/model/debug-sessions.ts';

function setUp() {
  const sent: unknown[] = [];
  const client: ConstructorParameters<typeof DebugSessions>[0] = {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as much of the client as is used
    debug: {
      breakInAll: async (input: unknown) => {
        sent.push(input);
        return {};
      },
    } as unknown as ConstructorParameters<typeof DebugSessions>[0]['debug'],
  };
  const breakpoints = new Breakpoints({ read: (_key, fallback) => fallback, write: () => true });
  return { sent, breakpoints, sessions: new DebugSessions(client, breakpoints) };
}

test('"Break in all runs" sends breakpoints of saved scripts, and their changes', async () => {
  const { sent, breakpoints, sessions } = setUp();
  breakpoints.put('script-3', 4, { ...PLAIN, hits: '2', condition: 'a' });
  breakpoints.toggle('new-1', 1);
  breakpoints.toggle('script-5', 1);
  breakpoints.change('script-5', breakpoints.at('script-5', 1)?.id ?? 0, { enabled: false });
  expect(sent).toEqual([]);
  await sessions.turn(true);
  const script = { scriptId: 3, breakpoints: [{ line: 4, condition: 'a', hits: 2 }] };
  expect(sent).toEqual([{ on: true, scripts: [script] }]);
  breakpoints.toggle('script-9', 2);
  await expect.poll(() => sent.length).toBe(2);
  expect(sent[1]).toEqual({ on: true, scripts: [script, { scriptId: 9, breakpoints: [{ line: 2 }] }] });
  await sessions.turn(false);
  breakpoints.toggle('script-9', 8);
  expect(sent.at(-1)).toEqual({ on: false, scripts: [] });
});
