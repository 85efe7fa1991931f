import type { ChildProcess } from 'node:child_process';
import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ROOT } from '../../../support/product/product.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';
import { startApi } from './start-api.ts';

const EXAMPLE = join(ROOT, 'resources', 'examples', 'poll-events.mjs');
const run = promisify(execFile);

test('the example processes every active event once, and disables it', async () => {
  const { source, url, service } = await startApi({
    events: 1_200,
    settings: { 'events.apiKey': 'one-of-our-keys' },
  });
  await source.setActive(7, false);
  const args = [EXAMPLE, '--once', '--url', url(), '--key', 'one-of-our-keys'];
  const { stdout } = await run(process.execPath, args);
  const lines = stdout.trim().split('\n');
  expect(lines).toHaveLength(1_199);
  expect(new Set(lines).size).toBe(1_199);
  expect(lines[0]).toBe('2026-01-01T01:00:01.000+01:00 rule 2: row 10 of rule_1 "},{" ü');
  expect([...source.events.values()].filter((event) => event.Active)).toEqual([]);
  const puts = service.requests({}).filter(({ method }) => method === 'PUT');
  expect(puts.every(({ status }) => status === 200)).toBe(true);
  expect((await run(process.execPath, args)).stdout).toBe('');
});

test('it continues polling, waits for an unavailable API, and idles without changes', async () => {
  const { source, url, service, settings } = await startApi({ events: 1 });
  const base = url();
  const child = spawn(process.execPath, [EXAMPLE, '--every', '20', '--url', base], { stdio: 'pipe' });
  onTestFinished(() => void child.kill());
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => void (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => void (err += chunk.toString()));
  await vi.waitFor(() => expect(service.requests({}).filter(({ status }) => status === 304).length).toBeGreaterThan(3));
  expect(out.split('\n')).toHaveLength(2);
  settings.update({ 'events.enabled': false });
  await vi.waitFor(() => expect(err).toMatch(/fetch failed|ECONNREFUSED/));
  settings.update({ 'events.enabled': true, 'events.port': Number(new URL(base).port) });
  await source.setActive(1, true);
  await vi.waitFor(() => expect(out.split('\n')).toHaveLength(3));
});

test('without the key, the error says what to send', async () => {
  const { url } = await startApi({ settings: { 'events.apiKey': 'one-of-our-keys' } });
  await expect(run(process.execPath, [EXAMPLE, '--once', '--url', url()])).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('401: Send the API key'),
  });
});

const PYTHON = ['python3', 'python'].find((name) => spawnSync(name, ['--version']).status === 0);
/** The programs that users copy, two of them from the manual. */
const MANUAL = readFileSync(join(ROOT, 'docs', 'events', 'events-api.md'), 'utf8');
const PYTHON_PROGRAM = /```python\n([^]*?)```/.exec(MANUAL)?.[1] ?? '';

/** The version of the .NET SDK, such as 8 or 10; null if there is none. */
const DOTNET = /^\d+/.exec(spawnSync('dotnet', ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[0] ?? null;
const CSHARP_PROGRAM = /```csharp\n([^]*?)```/.exec(MANUAL)?.[1] ?? '';

/** Compiles the program without packages, so that nothing is downloaded, and starts it. */
function startInDotnet(base: string): ChildProcess {
  const folder = temporaryFolder();
  writeFileSync(
    join(folder, 'events.csproj'),
    `<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup>
      <OutputType>Exe</OutputType><TargetFramework>net${DOTNET}.0</TargetFramework>
      <ImplicitUsings>enable</ImplicitUsings><Nullable>enable</Nullable>
      <UseAppHost>false</UseAppHost><TreatWarningsAsErrors>true</TreatWarningsAsErrors>
    </PropertyGroup></Project>`,
  );
  writeFileSync(join(folder, 'Program.cs'), CSHARP_PROGRAM.replace('http://127.0.0.1:4860', base));
  const env = { ...process.env, DOTNET_CLI_TELEMETRY_OPTOUT: '1', DOTNET_NOLOGO: '1', DOTNET_CLI_HOME: folder };
  execFileSync('dotnet', ['build', '-o', 'built', '-nodeReuse:false', '-p:UseSharedCompilation=false'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return spawn('dotnet', [join(folder, 'built', 'events.dll')], { env });
}

const PROGRAMS: [string, boolean, (base: string) => ChildProcess][] = [
  ['poll-events.mjs', true, (base) => spawn(process.execPath, [EXAMPLE, '--url', base, '--every', '50'])],
  [
    'the program in Python',
    PYTHON !== undefined,
    (base) => spawn(PYTHON ?? '', ['-u', '-c', PYTHON_PROGRAM.replace('http://127.0.0.1:4860', base)]),
  ],
  ['the program in C#', DOTNET !== null, startInDotnet],
];

describe.each(PROGRAMS)('%s', (_, isThere, start) => {
  test.runIf(isThere)(
    'keeps no list open, and continues while later events are disabled',
    async () => {
      const { source, url } = await startApi({ events: 1_700 });
      const setActive = source.setActive.bind(source);
      const list = source.list.bind(source);
      const puts: number[] = [];
      const open = new Set<number>();
      const limits = new Set<number | null>();
      source.list = (filter) => {
        // The API itself checks whether another event follows.
        if (filter.limit !== 1) limits.add(filter.limit);
        return list(filter);
      };
      source.setActive = async (id, active) => {
        puts.push(id);
        open.add(source.lists);
        // Another program disables those around the end of the second page first.
        for (let other = 900; puts.length === 100 && other < 1_100; other += 1) await setActive(other, false);
        return setActive(id, active);
      };
      const program = start(url());
      onTestFinished(() => void program.kill('SIGKILL'));
      const active = () => [...source.events.values()].filter((event) => event.Active).length;
      await vi.waitFor(() => expect(active()).toBe(0));
      expect(puts).toEqual([...source.events.keys()].filter((id) => id < 900 || id >= 1_100));
      expect([[...open], [...limits]]).toEqual([[0], [500]]);
    },
    300_000,
  );

  test.runIf(isThere)(
    'lets the other events wait while the API fails',
    async () => {
      const { source, url } = await startApi({ events: 20 });
      const setActive = source.setActive.bind(source);
      const puts: number[] = [];
      source.setActive = async (id, active) => {
        puts.push(id);
        if (puts.length <= 2) throw new Error('not now');
        return setActive(id, active);
      };
      const program = start(url());
      onTestFinished(() => void program.kill('SIGKILL'));
      const active = () => [...source.events.values()].filter((event) => event.Active).length;
      await vi.waitFor(() => expect(active()).toBe(0));
      expect(puts.slice(0, 4)).toEqual([1, 1, 1, 2]);
    },
    300_000,
  );
});
