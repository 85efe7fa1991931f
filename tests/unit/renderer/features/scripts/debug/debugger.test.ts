import { describe, expect, test } from 'vitest';
import type { RunReport } from '#domain/run/run';
import { Breakpoints, PLAIN } from '../../../../../../src-renderer/features/scripts/debug/model/breakpoints.ts';
import { completionsOf } from '../../../../../../src-renderer/features/scripts/debug/model/completions.ts';
import { RunDebugger } from '../../../../../../src-renderer/features/scripts/debug/model/debugger.ts';
import { shownFrame } from '../../../../../../src-renderer/features/scripts/debug/model/debugger-state.ts';
import type { Memory } from '../../../../../../src-renderer/features/scripts/model/scripts-state.ts';
import { FakeDebugClient } from './fake-debug-client.ts';

function memory(): Memory {
  const stored = new Map<string, unknown>();
  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as the storage of a browser
    read: <T>(key: string, fallback: T): T => (stored.has(key) ? (structuredClone(stored.get(key)) as T) : fallback),
    write: (key, value) => (value === null ? stored.delete(key) : stored.set(key, structuredClone(value)), true),
  };
}

const DEBUGGEE = {
  key: 'script-7',
  scriptId: 7,
  name: 'Read speed',
  body: 'const a = 1;\nreturn a;',
  context: { tagName: '', tagScopeDiagram: null, tagScopeLocation: null },
  dryRun: true,
};
const FRAMES = [
  { id: 11, name: 'inner', line: 2, column: 1, source: { path: 'script:9', name: 'Tags/Read' } },
  { id: 12, name: 'Read speed', line: 1, column: 1, source: { path: 'script:7' } },
];

function setUp(kept = { ofWindow: memory(), browser: memory() }) {
  const client = new FakeDebugClient();
  const breakpoints = new Breakpoints(kept.browser);
  const failures: string[] = [];
  const reports: RunReport['status'][] = [];
  const session = new RunDebugger({
    client,
    breakpoints,
    memory: kept,
    failed: (title, error) => failures.push(`${title}: ${error instanceof Error ? error.message : String(error)}`),
    reported: (_debuggee, report) => reports.push(report.status),
  });
  client.answers = {
    launch: () => (client.event('initialized'), {}),
    setBreakpoints: ({ breakpoints: sent }: { breakpoints: { line: number }[] }) => ({
      breakpoints: sent.map(({ line }, index) => ({ id: index + 1, verified: true, line: line + 1 })),
    }),
    stackTrace: () => ({ stackFrames: FRAMES }),
  };
  const phase = () => session.store.get().phase;
  const until = (wanted: string) => expect.poll(phase, { interval: 1 }).toBe(wanted);
  return { client, breakpoints, session, failures, reports, kept, until };
}

describe('a debugged run', () => {
  test('starts with its text, breakpoints and exceptions, in the order of the protocol', async () => {
    const { client, breakpoints, session, until } = setUp();
    breakpoints.put('script-7', 1, { ...PLAIN, condition: 'a' });
    breakpoints.toggle('script-9', 4);
    breakpoints.toggle('new-3', 1);
    const done = session.start(DEBUGGEE, true);
    await until('running');
    expect(client.commands()).toEqual([
      'initialize',
      'launch',
      'setBreakpoints',
      'setBreakpoints',
      'setExceptionBreakpoints',
      'configurationDone',
    ]);
    expect(client.lastOf('launch')).toEqual({
      body: DEBUGGEE.body,
      context: DEBUGGEE.context,
      dryRun: true,
      stopOnEntry: true,
      scriptId: 7,
    });
    const sources = client.sent.filter(({ command }) => command === 'setBreakpoints').map(({ args }) => args);
    expect(sources).toEqual([
      { source: { path: 'script:7' }, breakpoints: [{ line: 1, condition: 'a' }] },
      { source: { path: 'script:9' }, breakpoints: [{ line: 4 }] },
    ]);
    expect(client.lastOf('setExceptionBreakpoints')).toEqual({ filters: ['uncaught'] });
    client.event('terminated');
    await done;
    expect(session.store.get().phase).toBe('ended');
  });

  test('pauses with its frames, and steps', async () => {
    const { client, session, until } = setUp();
    void session.start(DEBUGGEE);
    await until('running');
    client.event('stopped', { reason: 'exception', text: 'uncaught RangeError: too far', threadId: 1 });
    await until('paused');
    expect(session.store.get()).toMatchObject({ frame: 11, stop: { text: 'uncaught RangeError: too far' } });
    expect(shownFrame(session.store.get())?.key).toBe('script-9');
    session.selectFrame(12);
    expect(shownFrame(session.store.get())?.key).toBe('script-7');
    session.step('stepIn');
    expect(session.store.get()).toMatchObject({ phase: 'running', frames: [], frame: null });
    expect(client.lastOf('stepIn')).toEqual({ threadId: 1 });
    session.step('next');
    expect(client.commands()).not.toContain('next');
  });

  test('a stop that has its state needs no request, and answers the first ones', async () => {
    const { client, session, until } = setUp();
    void session.start(DEBUGGEE);
    await until('running');
    const scopes = [{ name: 'Local', variablesReference: 5, expensive: false }];
    const variables = [{ name: 'a', value: '1', variablesReference: 0 }];
    const state = { stackFrames: FRAMES, scopes, variables: [{ variablesReference: 5, variables }] };
    client.event('stopped', { reason: 'step', state });
    await until('paused');
    expect(session.store.get()).toMatchObject({ frames: FRAMES, frame: 11 });
    expect(await session.ask('scopes', { frameId: 11 })).toEqual({ scopes });
    expect(await session.ask('variables', { variablesReference: 5 })).toEqual({ variables });
    expect(client.commands().at(-1)).toBe('configurationDone');
    // Another window may have changed a value since.
    await session.ask('variables', { variablesReference: 5 });
    await session.ask('scopes', { frameId: 11 });
    expect(client.commands().slice(-2)).toEqual(['variables', 'scopes']);
  });

  test('what came with a stop is dropped by an assignment, and by a step', async () => {
    const { client, session, until } = setUp();
    void session.start(DEBUGGEE);
    await until('running');
    const scopes = [{ name: 'Local', variablesReference: 5, expensive: false }];
    const state = { stackFrames: FRAMES, scopes, variables: [{ variablesReference: 5, variables: [] }] };
    client.event('stopped', { reason: 'step', state });
    await until('paused');
    session.changed();
    await session.ask('scopes', { frameId: 11 });
    expect(client.commands().at(-1)).toBe('scopes');
    session.step('next');
    client.event('continued');
    client.event('stopped', { reason: 'step', state });
    await until('paused');
    session.step('next');
    await session.ask('variables', { variablesReference: 5 });
    expect(client.commands().at(-1)).toBe('variables');
    // Those of another frame, and later pages, were not sent.
    client.event('stopped', { reason: 'step', state });
    await until('paused');
    await session.ask('scopes', { frameId: 12 });
    await session.ask('variables', { variablesReference: 5, start: 100 });
    expect(client.commands().slice(-2)).toEqual(['scopes', 'variables']);
  });

  test('a step that stops at once is never shown as running', async () => {
    const { client, session, until } = setUp();
    void session.start(DEBUGGEE);
    await until('running');
    client.event('stopped', { reason: 'breakpoint' });
    await until('paused');
    const shown: string[] = [];
    session.shown.subscribe(() => {
      const { phase, stop } = session.shown.get();
      shown.push(`${phase} ${stop?.reason ?? ''}`);
    });
    session.step('next');
    client.event('continued');
    client.event('stopped', { reason: 'step', state: { stackFrames: FRAMES } });
    await until('paused');
    expect(shown).toEqual(['paused step']);
    session.step('continue');
    expect(session.store.get().phase).toBe('running');
    await expect.poll(() => shown).toEqual(['paused step', 'running ']);
  });

  test('a step that main rejects leaves the run paused', async () => {
    const { client, session, failures, until } = setUp();
    void session.start(DEBUGGEE);
    await until('running');
    client.event('stopped', { reason: 'step', threadId: 1 });
    await until('paused');
    client.answers.next = () => new Error('The run is not paused.');
    session.step('next');
    expect(session.store.get().phase).toBe('running');
    await until('paused');
    expect(session.store.get()).toMatchObject({ frames: FRAMES, frame: 11, stop: { reason: 'step' } });
    expect(failures).toEqual(['The run was not continued: The run is not paused.']);
  });

  test('an answer about an earlier stop is dropped', async () => {
    const { client, session, until } = setUp();
    const slow = Promise.withResolvers<unknown>();
    let calls = 0;
    client.answers.stackTrace = () => {
      calls += 1;
      return calls === 1 ? slow.promise : { stackFrames: [FRAMES[1]] };
    };
    void session.start(DEBUGGEE);
    await until('running');
    client.event('stopped', { reason: 'step' });
    client.event('continued', {});
    client.event('stopped', { reason: 'breakpoint' });
    await until('paused');
    slow.resolve({ stackFrames: FRAMES });
    await slow.promise;
    expect(session.store.get()).toMatchObject({ frame: 12, stop: { reason: 'breakpoint' } });
  });

  test('changed breakpoints are sent at once, and show where they are', async () => {
    const { client, breakpoints, session, until } = setUp();
    void session.start(DEBUGGEE);
    await until('running');
    breakpoints.toggle('script-7', 5);
    await expect.poll(() => client.commands().at(-1)).toBe('setBreakpoints');
    const { id } = breakpoints.at('script-7', 5) ?? { id: 0 };
    await expect.poll(() => breakpoints.placements.get().get(id)).toMatchObject({ verified: true, line: 6 });
    breakpoints.change('script-7', id, { enabled: false });
    await expect.poll(() => client.lastOf('setBreakpoints')).toEqual({ source: { path: 'script:7' }, breakpoints: [] });
  });

  test('a rejected launch says why, and ends', async () => {
    const { client, session, failures } = setUp();
    client.answers.launch = () => new Error('Unexpected token (2:1)');
    await session.start(DEBUGGEE);
    expect(failures).toEqual(['The script was not debugged: Unexpected token (2:1)']);
    expect(session.store.get().phase).toBe('ended');
    await session.start(DEBUGGEE);
    expect(client.opened).toEqual([null, null]);
  });

  test('its output, its log points and its report arrive', async () => {
    const { client, session, reports, until } = setUp();
    const done = session.start(DEBUGGEE);
    await until('running');
    client.event('output', { category: 'stdout', output: 'hello\n', line: 2 });
    client.event('output', { category: 'console', output: 'a is 1\n' });
    client.event('output', { category: 'stderr', output: 'bad\n' });
    client.event('tagwright/report', { report: { status: 'ok' } });
    client.event('terminated');
    await done;
    expect(session.store.get().console.map(({ kind, text, line }) => [kind, text, line])).toEqual([
      ['output', 'hello', 2],
      ['log', 'a is 1', null],
      ['error', 'bad', null],
    ]);
    expect(reports).toEqual(['ok']);
    expect(client.commands().at(-1)).toBe('disconnect');
  });

  test('the console evaluates in the selected frame; what it changed is read again', async () => {
    const { client, session, until } = setUp();
    client.answers.evaluate = ({ expression }: { expression: string }) =>
      expression === 'bad' ? new Error('bad is not defined') : { result: '2', variablesReference: 0 };
    void session.start(DEBUGGEE);
    await until('running');
    client.event('stopped', { reason: 'step' });
    await until('paused');
    const { revision, stops } = session.store.get();
    await session.evaluate('a = 2');
    await session.evaluate('bad');
    expect(client.lastOf('evaluate')).toEqual({ expression: 'bad', context: 'repl', frameId: 11 });
    expect(session.store.get().console.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      'input a = 2',
      'result 2',
      'input bad',
      'failed bad is not defined',
    ]);
    expect(session.store.get()).toMatchObject({ revision: revision + 1, stops });
  });

  test('a page that was reloaded attaches again, and one whose run is gone forgets it', async () => {
    const first = setUp();
    void first.session.start(DEBUGGEE);
    await first.until('running');
    first.session.detach();
    const second = setUp(first.kept);
    void second.session.reattach();
    await expect.poll(() => second.client.opened).toEqual(['s1']);
    second.client.event('stopped', { reason: 'breakpoint' });
    await second.until('paused');
    expect(second.session.store.get().debuggee).toEqual(DEBUGGEE);
    expect(second.client.commands()).not.toContain('launch');
    second.session.detach();
    const third = setUp(first.kept);
    third.client.refusal = new Error('This session does not exist.');
    await third.session.reattach();
    expect(third.failures).toHaveLength(1);
    const fourth = setUp(first.kept);
    await fourth.session.reattach();
    expect(fourth.client.opened).toEqual([]);
  });

  test('a lost connection attaches again, and shows the pause that it missed', async () => {
    const { client, session, failures, until } = setUp();
    void session.start(DEBUGGEE);
    await until('running');
    client.lose();
    await expect.poll(() => client.opened).toEqual([null, 's1']);
    client.event('stopped', { reason: 'breakpoint' });
    await until('paused');
    client.refusal = new Error('Not connected to Tagwright.');
    client.lose();
    await expect.poll(() => client.opened.length).toBeGreaterThan(3);
    expect([failures, client.commands().filter((command) => command === 'launch')]).toEqual([[], ['launch']]);
    session.detach();
  });

  test('a restart ends the run and starts the current text', async () => {
    const { client, session, until } = setUp();
    client.answers.terminate = () => (client.event('terminated'), {});
    void session.start(DEBUGGEE);
    await until('running');
    void session.restart({ ...DEBUGGEE, body: 'return 2;' });
    await expect.poll(() => client.opened).toEqual([null, null]);
    await until('running');
    expect(client.lastOf('launch')).toMatchObject({ body: 'return 2;' });
  });

  test('a pause before an API call shows the call', async () => {
    const { client, session, until } = setUp();
    client.answers['tagwright/api'] = () => ({ pause: true, call: { operation: 'Fetch', arguments: ['https://x'] } });
    session.setApiCalls(true);
    void session.start(DEBUGGEE);
    await until('running');
    expect(client.lastOf('tagwright/api')).toEqual({ pause: true });
    client.event('stopped', { reason: 'api call' });
    await expect.poll(() => session.store.get().call).toEqual({ operation: 'Fetch', arguments: ['https://x'] });
    session.step('continue');
    expect(session.store.get().call).toBeNull();
  });

  test('completions replace the word at the cursor', async () => {
    const { client, session, until } = setUp();
    client.answers.completions = () => ({ targets: [{ label: 'speed' }, { label: 'Speeds' }, { label: 'other' }] });
    void session.start(DEBUGGEE);
    await until('running');
    expect(await completionsOf(session, 'spe', 3)).toEqual([]);
    client.event('stopped', { reason: 'step' });
    await until('paused');
    expect(await completionsOf(session, '1 + spe * 2', 7)).toEqual([
      { label: 'speed', kind: '', text: '1 + speed * 2', caret: 9 },
      { label: 'Speeds', kind: '', text: '1 + Speeds * 2', caret: 10 },
    ]);
    expect(await completionsOf(session, '1 + ', 4)).toEqual([]);
  });
});
