import { writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { DebugClient } from '@vscode/debugadapter-testsupport';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { parseJson, isJsonObject } from '#domain/text/json';
import { commandLine } from '../../support/product/command-line.ts';
import { builtProduct, startHeadless } from '../../support/product/product.ts';
import { fc } from '../../support/run/random.ts';
import { scaled } from '../../support/run/scale.ts';
import { sharedFolder, temporaryFolder } from '../../support/temp-folder.ts';

const BODY = `let sum = 0;
for (const one of [1, 2, 3]) {
  sum += twice(one);
}

console.log('sum', sum);
return sum;
function twice(x) {
  return x * 2;
}
`;

beforeAll(() => builtProduct());

function scriptFile(): string {
  const file = join(temporaryFolder(), 'sum.js');
  writeFileSync(file, BODY);
  return file;
}

describe('tagwright debug FILE', () => {
  const workspace = join(sharedFolder(), 'plant');
  const debug = (args: string[], stdin: string) =>
    commandLine(['debug', ...args, '--workspace', workspace, '--dry-run'], { stdin });

  test('steps, prints and continues', async () => {
    const { code, out, err } = await debug([scriptFile()], 'n\nn\nn\ns\np x + 1\nv\nw\nc\n');
    expect({ code, err }).toMatchObject({ code: 0 });
    expect(out).toContain('line 1 (Paused after a step)');
    expect(out).toContain('Paused in twice line 9');
    expect(out).toContain('\n3\n');
    expect(out).toContain('  x = 2\n');
    expect(out).toMatch(/\* 0 twice line 9\n {2}1 .*line 3/);
    expect(out).toContain('6: sum 12');
  });

  test('pauses at breakpoints, moves them, changes them, and has help', async () => {
    const { code, out, err } = await debug(
      [scriptFile(), '--break', '5'],
      'b 9 if x === 2\nb\nd 6\nr\np x\nl\nf 1\nu 6\nh\nfoo\nf 9\nc\n',
    );
    expect({ code }).toEqual({ code: 0 });
    expect(err).toContain('Line 5 has no statement: pausing at line 6.');
    expect(err).toContain('continue');
    expect(err).toContain('There is no frame 9');
    expect(out).toContain('  line 9 if x === 2');
    expect(out).toMatch(/Paused in twice line 9 [^\n]*\n[^\n]*\n2\n/);
    expect(out).toContain('line 6 (');
  });

  test('ends the run at the end of the commands, and on q', async () => {
    expect(await debug([scriptFile()], '')).toMatchObject({ code: 0 });
    expect(await debug([scriptFile()], 'n\nq\n')).toMatchObject({ code: 0 });
  });

  test('refuses what it cannot run', async () => {
    expect(await debug([], '')).toMatchObject({ code: 2 });
    expect(await debug([scriptFile(), '--break', 'x'], '')).toMatchObject({ code: 2 });
    const file = join(temporaryFolder(), 'broken.js');
    writeFileSync(file, 'return (');
    const { code, err } = await debug([file], '');
    expect(code).not.toBe(0);
    expect(err).toContain('does not parse');
  });
});

describe('tagwright debug FILE --dap', () => {
  const workspace = join(sharedFolder(), 'plant');

  async function served(file: string): Promise<{ port: number; token: string; alive: () => boolean }> {
    const started = startHeadless(['debug', file, '--dap', '--dry-run', '--workspace', workspace]);
    onTestFinished(async () => {
      started.kill('SIGINT');
      expect(await started.ended).toMatchObject({ code: 0 });
    });
    const line = parseJson(await started.firstLine());
    expect(line).toEqual({ host: '127.0.0.1', port: expect.any(Number), token: expect.stringMatching(/^[\w-]{32}$/) });
    if (!isJsonObject(line)) throw new Error('no object');
    return {
      port: Number(line['port']),
      token: JSON.stringify(line['token']).slice(1, -1),
      alive: () => process.kill(started.pid, 0),
    };
  }

  async function client(port: number): Promise<DebugClient> {
    const debug = new DebugClient('node', '', 'tagwright');
    await debug.start(port);
    // It waits for a response, which a closed connection does not give.
    onTestFinished(() => void debug.stop().catch(() => undefined));
    return debug;
  }

  test('a client from npm sets breakpoints, pauses, inspects and continues', async () => {
    const file = scriptFile();
    const { port, token } = await served(file);
    const debug = await client(port);
    const { body: capabilities } = await debug.initializeRequest();
    expect(capabilities).toMatchObject({ supportsConfigurationDoneRequest: true, supportsLogPoints: true });
    const initialized = debug.waitForEvent('initialized');
    await debug.launch({ token });
    await initialized;
    const { body: placed } = await debug.setBreakpointsRequest({
      source: { path: file },
      breakpoints: [{ line: 9, condition: 'x === 2' }],
    });
    expect(placed.breakpoints).toMatchObject([{ verified: true, line: 9 }]);
    const stopped = debug.waitForEvent('stopped');
    await debug.configurationDoneRequest();
    expect((await stopped).body).toMatchObject({ reason: 'breakpoint', threadId: 1 });
    const { body: stack } = await debug.stackTraceRequest({ threadId: 1 });
    expect(stack.stackFrames.map(({ name, line }) => `${name}:${line}`)).toEqual(['twice:9', `${file}:3`]);
    expect(stack.stackFrames[0]?.source?.path).toBe(file);
    const frameId = stack.stackFrames[0]?.id ?? 0;
    const { body: scopes } = await debug.scopesRequest({ frameId });
    const { body: locals } = await debug.variablesRequest({
      variablesReference: scopes.scopes[0]?.variablesReference ?? 0,
    });
    expect(locals.variables).toMatchObject([{ name: 'x', value: '2' }, { name: 'this' }]);
    const { body: value } = await debug.evaluateRequest({ expression: 'x * 21', frameId });
    expect(value.result).toBe('42');
    const [terminated, output] = [debug.waitForEvent('terminated'), debug.assertOutput('stdout', 'sum 12')];
    await debug.continueRequest({ threadId: 1 });
    await Promise.all([terminated, output]);
    await debug.disconnectRequest({});
  });

  test('the token is required, and one connection cannot disturb another', async () => {
    const { port, token } = await served(scriptFile());
    const debug = await client(port);
    await debug.initializeRequest();
    const initialized = debug.waitForEvent('initialized');
    await debug.launch({ token, stopOnEntry: true });
    await initialized;
    const stopped = debug.waitForEvent('stopped');
    await debug.configurationDoneRequest();
    await stopped;
    const other = await client(port);
    await expect(other.threadsRequest()).rejects.toThrow('comes before "threads"');
    await expect(other.launchRequest({ token: 'wrong' } as never)).rejects.toThrow('token');
    const attached = await client(port);
    await expect(attached.attachRequest({ token } as never)).rejects.toThrow(
      /give the session, one of: .* \(.*paused\)/,
    );
    const message = await attached.attachRequest({ token } as never).then(() => '', String);
    const again = attached.waitForEvent('stopped');
    await attached.attachRequest({ token, session: /one of: (\S+)/.exec(message)?.[1] } as never);
    await again;
    const resumed = debug.waitForEvent('terminated');
    await attached.continueRequest({ threadId: 1 });
    await resumed;
  });

  test('garbage ends only its own connection', { timeout: 600_000 }, async () => {
    const { port, token, alive } = await served(scriptFile());
    const closed = (bytes: Uint8Array): Promise<void> =>
      new Promise((resolve) => {
        const socket: Socket = connect(port, '127.0.0.1', () => socket.write(bytes));
        socket.on('error', () => undefined);
        socket.on('close', () => resolve());
        socket.resume();
      });
    const frame = (text: string) => Buffer.from(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
    const garbage = [
      Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n'),
      Buffer.from('Content-Length: 99999999\r\n\r\n'),
      Buffer.from('Content-Length: -1\r\n\r\n{}'),
      Buffer.alloc(100_000, 'a'),
      frame('{'),
      frame('[]'),
      frame('null'),
      frame('{"type":"request"}'),
      frame('{"type":"event","seq":1,"command":"x"}'),
      frame('{"seq":1,"type":"request","command":"launch","arguments":{"token":["x"]}}'),
      Buffer.concat(
        Array.from({ length: 300 }, (_, seq) => frame(`{"seq":${seq},"type":"request","command":"threads"}`)),
      ),
    ];
    for (const bytes of garbage) await closed(bytes);
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1_100, maxLength: 3_000 }), (bytes) => closed(bytes)),
      { numRuns: scaled(20, 500) },
    );
    expect(alive()).toBe(true);
    const debug = await client(port);
    await debug.initializeRequest();
    const terminated = debug.waitForEvent('terminated');
    await debug.launch({ token, noWait: true });
    await terminated;
  });
});
