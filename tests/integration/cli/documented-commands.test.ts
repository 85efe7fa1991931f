import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { commandLine } from '../../support/product/command-line.ts';
import { builtProduct, LAUNCHER, ROOT, SYSTEM_NODE } from '../../support/product/product.ts';
import { IS_LONG } from '../../support/run/scale.ts';
import type { ServedInstance } from '../../support/product/served-instance.ts';
import { startInstance } from '../../support/product/served-instance.ts';

/** The code blocks of a language in the user documentation. */
function fences(language: string): { file: string; text: string }[] {
  return [join(ROOT, 'README.md'), ...globSync(join(ROOT, 'docs', '**', '*.md'))].toSorted().flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``, 'g'))].map(
      ([, text = '']) => ({
        file: relative(ROOT, path),
        text,
      }),
    ),
  );
}

const LINES = fences('sh').flatMap(({ file, text }) =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => ({ file, line: line.replace(/\s+#.*$/, '') })),
);
const ALL = LINES.filter(({ line }) => line.includes('npx tagwright'));
/** It serves clients until Ctrl+C. */
const isServer = ({ line }: { line: string }) => / --dap\b/.test(line);
const [COMMANDS, SERVERS] = [ALL.filter((one) => !isServer(one)), ALL.filter(isServer)];
const CURL = LINES.filter(({ line }) => line.startsWith('curl '));
const there = (program: string) => spawnSync(program, ['--version']).status === 0;
/** The environment makes Python use the same encoding as the test. */
const PYTHON = ['python3', 'python'].find(there);

describe('the commands in the documentation', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tagwright-docs-'));
  const workspace = join(folder, 'workspace');
  let instance: ServedInstance;
  let base: string;

  /** As in a shell in the checkout, where `npx tagwright` is the product. */
  const environment = () => ({
    cwd: folder,
    env: {
      ...process.env,
      PATH: `${folder}:${process.env['PATH'] ?? ''}`,
      TAGWRIGHT_WORKSPACE: workspace,
      TAGWRIGHT_NO_BUILD: '1',
    },
  });
  const shell = (line: string) =>
    spawnSync('bash', ['-c', line], { ...environment(), encoding: 'utf8', timeout: 300_000 });

  /** A line that only calls Tagwright runs in this process with the words that bash reads in it, at a fifth of the cost. */
  const run = async (line: string): Promise<{ status: number | null; stderr: string }> => {
    if (IS_LONG || !/^npx tagwright [^|<>&;]*$/.test(line)) return shell(line);
    const words = shell(`npx() { printf '%s\\0' "$@"; }; ${line}`).stdout.split('\0').slice(1, -1);
    const home = process.cwd();
    vi.stubEnv('TAGWRIGHT_WORKSPACE', workspace);
    process.chdir(folder);
    try {
      const { code, err } = await commandLine(words);
      return { status: code, stderr: err };
    } finally {
      process.chdir(home);
      vi.unstubAllEnvs();
    }
  };

  const done = (line: string) => {
    const { status, stderr } = shell(line);
    if (status !== 0) throw new Error(`${line} ended with ${status}: ${stderr}`);
  };

  beforeAll(async () => {
    await builtProduct();
    const npx = join(folder, 'npx');
    writeFileSync(npx, `#!/bin/sh\n[ "$1" = tagwright ] || exit 99\nshift\nexec "${SYSTEM_NODE}" "${LAUNCHER}" "$@"\n`);
    chmodSync(npx, 0o755);
    // Scripts that the examples refer to.
    for (const name of ['fill-level.js', 'fixed.js', 'store.js'])
      writeFileSync(join(folder, name), 'return tagName;\n');
    // A consumer of the events API, as docs/events/consumers.md describes it.
    const client = pathToFileURL(join(ROOT, 'out/clients/typescript/events-client.js')).href;
    writeFileSync(
      join(folder, 'erp.mjs'),
      `import { EventsClient } from '${client}';
const { TAGWRIGHT_EVENTS_URL: url, TAGWRIGHT_EVENTS_API_KEY: apiKey } = process.env;
await new EventsClient({ url, apiKey, name: 'erp/1.0' }).consume(() => undefined);\n`,
    );
    done('npx tagwright export plant');
    instance = await startInstance({ workspace });
    base = instance.eventsApi;
    done('npx tagwright fire "Fill volume check" --times 60');
  }, 600_000);
  afterAll(async () => {
    await instance.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('exist', () => {
    expect(COMMANDS.length).toBeGreaterThan(20);
    expect(SERVERS.length).toBeGreaterThan(0);
    expect(CURL.length).toBeGreaterThan(3);
  });

  test.each(COMMANDS)('$file: $line', async ({ line }) => {
    const { status, stderr } = await run(line.replace('events.port=4860', `events.port=${new URL(base).port}`));
    expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
  });

  test.each(SERVERS)('$file: $line', async ({ line }) => {
    const server = spawn('bash', ['-c', `exec ${line}`], { ...environment(), stdio: ['ignore', 'pipe', 'inherit'] });
    let printed = '';
    server.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
    await expect.poll(() => printed).toContain('\n');
    expect(JSON.parse(printed)).toMatchObject({ host: '127.0.0.1', token: expect.any(String) as unknown });
    const ended = once(server, 'close');
    server.kill('SIGINT');
    await ended;
  });

  test.runIf(there('curl')).each(CURL)('$file: $line', ({ line }) => {
    // A stream has no end: curl stops by itself with 28, having received it.
    const isStream = line.includes('text/event-stream');
    const { status, stdout } = shell(
      `${line} --silent --show-error --fail-with-body --output - ${isStream ? '--max-time 8' : ''}`.replace(
        'http://127.0.0.1:4860',
        base,
      ),
    );
    if (isStream) {
      expect({ status, start: stdout.slice(0, 4) }).toEqual({
        status: 28,
        start: expect.stringMatching(/^(even|id: )/),
      });
      return;
    }
    expect({ status, stdout: status === 0 ? '' : stdout }).toEqual({ status: 0, stdout: '' });
  });

  test('the tests of docs/scripting/script-tests.md pass', () => {
    const example = fences('json').find(({ file }) => file === join('docs', 'scripting', 'script-tests.md'));
    writeFileSync(join(folder, 'plant', 'scripts', 'Line 1', 'Start an order.tests.json'), example?.text ?? '');
    const { status, stdout } = shell('npx tagwright test plant --filter "Line 1/Start an order"');
    expect(stdout).toContain('1 test passed');
    expect(status).toBe(0);
  });

  test.runIf(PYTHON)('the Python program processes every active event', async () => {
    const [program] = fences('python');
    expect(program).toBeDefined();
    expect(shell('npx tagwright fire "Fill volume check" --times 3').status).toBe(0);
    const file = join(folder, 'poll.py');
    writeFileSync(file, (program?.text ?? '').replace('http://127.0.0.1:4860', base));
    const polling = spawn(PYTHON ?? '', ['-u', file], { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    polling.stdout.on('data', (chunk: Buffer) => void (said += chunk.toString()));
    try {
      await expect.poll(() => said.split('row ').length).toBeGreaterThan(3);
      const active = async () => JSON.parse(await (await fetch(`${base}/api/events?limit=100`)).text()).length;
      // Rules continue to fire in the meantime.
      await expect.poll(active).toBeLessThan(4);
    } finally {
      polling.kill('SIGKILL');
    }
  });
});
