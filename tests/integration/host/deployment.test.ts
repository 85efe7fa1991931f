import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, matchesGlob } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { parse } from 'yaml';
import { HubDatabase } from '../../../src-main/storage/hub/hub-database.ts';
import { freePort } from '../../support/free-port.ts';
import { commandLine } from '../../support/product/command-line.ts';
import { postgresPrograms, startPostgres } from '../../support/hub/postgres.ts';
import { LAUNCHER, NODE, ROOT } from '../../support/product/product.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';
import { runCommand } from '../../unit/cli/run-command.ts';

const DEPLOY = join(ROOT, 'resources', 'deploy');
const textOf = (name: string) => readFileSync(join(DEPLOY, name), 'utf8');
const UNITS = ['tagwright.service', 'tagwright-gateway.service'];
const HAS_CADDY = spawnSync('caddy', ['version']).status === 0;
const HAS_SYSTEMD = spawnSync('systemd-analyze', ['--version']).status === 0;

interface ComposeService {
  image?: string;
  command?: string[];
  environment?: Record<string, string>;
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test?: string[]; disable?: boolean };
  volumes?: string[];
  configs?: { source: string; target: string }[];
  build?: { context: string; dockerfile: string };
}
interface ComposeFile {
  services: Record<string, ComposeService>;
  volumes: Record<string, null>;
  configs: Record<string, { content: string }>;
}
const COMPOSE: ComposeFile = parse(textOf('compose.yaml'), { merge: true });
const PROXY = COMPOSE.configs['proxy']?.content ?? '';

/** A command of a file is known, and so are its options. */
async function expectKnown(command: readonly string[]): Promise<void> {
  const first = command.findIndex((part) => part.startsWith('-'));
  const names = first < 0 ? command : command.slice(0, first);
  const { code, out } = await commandLine([...names, '--help']);
  expect(code, names.join(' ')).toBe(0);
  for (const option of command.filter((part) => part.startsWith('--'))) expect(out, option).toContain(option);
}

describe.each(UNITS)('%s', (name) => {
  const unit = textOf(name);
  const [, ...words] = (/^ExecStart=(.*)$/m.exec(unit)?.[1] ?? '').split(' ');

  test('runs a command that exists', async () => {
    expect(words[0]).toBe('/opt/tagwright/resources/bin/tagwright.mjs');
    await expectKnown(words.slice(1).filter((word) => !word.startsWith('$')));
    expect(
      existsSync(join(ROOT, (/^Documentation=file:\/\/\/opt\/tagwright\/(.*)$/m.exec(unit) ?? [])[1] ?? '?')),
    ).toBe(true);
  });

  test.runIf(HAS_SYSTEMD)('is valid for systemd', () => {
    const file = join(temporaryFolder(), name);
    const here = unit
      .replaceAll('/usr/bin/node', NODE)
      .replaceAll('/opt/tagwright/resources/bin/tagwright.mjs', LAUNCHER)
      .replace(/^Documentation=.*\n/m, '')
      .replace(/^(User|Group)=.*$/gm, '$1=root');
    writeFileSync(file, here);
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' });
    const about = stderr.split('\n').filter((line) => line.includes(name));
    expect([status, about]).toEqual([0, []]);
  });
});

describe('the Dockerfile', () => {
  const lines = textOf('Dockerfile').replaceAll('\\\n', ' ').split('\n');

  test('copies what the product needs to run', () => {
    const copied = lines.flatMap((line) => /^COPY --from=build \/opt\/tagwright\/(\S+) (\S+)$/.exec(line)?.[1] ?? []);
    expect(copied).toEqual(['package.json', 'node_modules', 'out', 'resources', 'docs']);
    const image = temporaryFolder();
    mkdirSync(image, { recursive: true });
    for (const name of copied) {
      const [from, to] = [join(ROOT, name), join(image, name)];
      if (['node_modules', 'out'].includes(name)) symlinkSync(from, to);
      else cpSync(from, to, { recursive: true });
    }
    const [, entry = '[]'] = /^ENTRYPOINT (.*)$/m.exec(textOf('Dockerfile')) ?? [];
    const [, ...args]: string[] = JSON.parse(entry);
    const { status, stdout } = spawnSync(NODE, [...args, 'gateway', '--help'], { cwd: image, encoding: 'utf8' });
    expect([status, stdout.slice(0, 24)]).toEqual([0, 'Usage: tagwright gateway']);
  });

  test('its build gets the configuration of every part', () => {
    const rules = textOf('Dockerfile.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    // The last rule that matches decides.
    const isSent = (path: string) => {
      const rule = rules.findLast((line) => matchesGlob(path, line.replace(/^!/, '')) || path.startsWith(`${line}/`));
      return rule?.startsWith('!') ?? true;
    };
    const { references }: { references: { path: string }[] } = JSON.parse(
      readFileSync(join(ROOT, 'tsconfig.json'), 'utf8'),
    );
    const files = references.map(({ path }) => join(path, 'tsconfig.json'));
    expect(files).toContain('tests/tsconfig.json');
    expect(files.filter((file) => !isSent(file))).toEqual([]);
    expect([isSent('tests/run.ts'), isSent('node_modules/vite/package.json')]).toEqual([false, false]);
  });

  test('builds with scripts that exist, with the Node of the product', async () => {
    const { scripts, dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    for (const [, script = ''] of textOf('Dockerfile').matchAll(/npm run (\S+)/g))
      expect(scripts).toHaveProperty(script);
    const [major] = String(dependencies.node).split('.');
    expect(lines.filter((line) => line.startsWith('FROM '))).toSatisfy((all: string[]) =>
      all.every((line) => line.startsWith(`FROM node:${major}-`)),
    );
    const [, command = '[]'] = /^CMD (.*)$/m.exec(textOf('Dockerfile')) ?? [];
    await expectKnown(JSON.parse(command));
  });
});

describe('the compose file', () => {
  test('is complete: commands, dependencies, volumes, build', async () => {
    expect(Object.keys(COMPOSE.services)).toEqual(['database', 'schema', 'gateway-1', 'gateway-2', 'proxy']);
    for (const [name, service] of Object.entries(COMPOSE.services)) {
      for (const [needed, { condition }] of Object.entries(service.depends_on ?? {})) {
        expect(COMPOSE.services, name).toHaveProperty(needed);
        if (condition === 'service_healthy') expect(COMPOSE.services[needed]?.healthcheck?.test).toBeDefined();
      }
      for (const { source } of service.configs ?? []) expect(COMPOSE.configs).toHaveProperty(source);
      for (const volume of service.volumes ?? []) expect(COMPOSE.volumes).toHaveProperty(volume.split(':')[0] ?? '');
      if (service.build) {
        expect(existsSync(join(DEPLOY, service.build.context, service.build.dockerfile))).toBe(true);
        await expectKnown(service.command ?? []);
      }
    }
  });

  test('its proxy sends requests to its gateways, or to the one that runs', () => {
    const [, upstreams = ''] = /reverse_proxy (.*) \{/.exec(PROXY) ?? [];
    const gateways = Object.keys(COMPOSE.services).filter((name) => name.startsWith('gateway-'));
    expect(upstreams.split(' ')).toEqual(gateways.map((name) => `${name}:4880`));
    expect(PROXY).toContain('lb_try_duration');
  });

  test.runIf(HAS_CADDY)('its proxy gives a response while a gateway is replaced', async () => {
    const folder = temporaryFolder();
    mkdirSync(folder, { recursive: true });
    const serve = async (name: string) => {
      const server = createServer((_request, response) => void response.end(name)).listen(0, '127.0.0.1');
      await once(server, 'listening');
      onTestFinished(() => void server.close());
      const { port }: AddressInfo = Object(server.address());
      return { server, port };
    };
    const [one, two] = [await serve('one'), await serve('two')];
    const port = await freePort();
    const file = join(folder, 'Caddyfile');
    const text = PROXY.replace(/\$\{HUB_HOST_NAME:-[^}]*\}/, `http://127.0.0.1:${port}`)
      .replace('gateway-1:4880', `127.0.0.1:${one.port}`)
      .replace('gateway-2:4880', `127.0.0.1:${two.port}`);
    writeFileSync(file, `{\n\tadmin off\n}\n${text}`);
    const env = { PATH: process.env['PATH'], HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
    const caddy = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', file], { env, stdio: 'ignore' });
    onTestFinished(() => void caddy.kill());
    const answers = async (count: number) => {
      const seen = new Set<string>();
      for (let n = 0; n < count; n += 1) seen.add(await (await fetch(`http://127.0.0.1:${port}/sites`)).text());
      return [...seen].toSorted();
    };
    await vi.waitFor(() => answers(1), { timeout: 20_000, interval: 50 });
    expect(await answers(20)).toEqual(['one', 'two']);
    one.server.close();
    one.server.closeAllConnections();
    expect(await answers(20)).toEqual(['two']);
  });

  test('its health check passes only while a gateway is ready', async () => {
    let status = 200;
    const server = createServer((_request, response) => void response.writeHead(status).end()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port }: AddressInfo = Object(server.address());
    const [kind, , ...args] = COMPOSE.services['gateway-1']?.healthcheck?.test ?? [];
    expect(kind).toBe('CMD');
    const check = async () => {
      const child = spawn(
        NODE,
        args.map((arg) => arg.replace('4881', String(port))),
      );
      const [code]: unknown[] = await once(child, 'exit');
      return code;
    };
    expect(await check()).toBe(0);
    status = 503;
    expect(await check()).toBe(1);
  });

  test.skipIf(postgresPrograms() === null)('its commands start a gateway that is ready', async () => {
    const server = await startPostgres();
    onTestFinished(() => server.stop());
    server.createDatabase('tagwright');
    const setUp = await HubDatabase.open({ url: server.url('tagwright'), connections: 1, name: 'test' });
    onTestFinished(() => setUp.close());
    // As the container of the database does before anything connects to it.
    const role = COMPOSE.configs['gateway-role']?.content ?? '';
    for (const statement of role.replaceAll('${GATEWAY_PASSWORD}', 'choose-another').split(';\n'))
      if (statement !== '') await setUp.query(statement);
    vi.stubEnv('TAGWRIGHT_HUB_URL', server.url('tagwright'));
    onTestFinished(() => void vi.unstubAllEnvs());
    expect((await commandLine(COMPOSE.services['schema']?.command ?? [])).code).toBe(0);
    const user = ({ environment }: ComposeService) =>
      /^postgres:\/\/([a-z]+):/.exec(environment?.['TAGWRIGHT_HUB_URL'] ?? '')?.[1];
    const users = Object.values(COMPOSE.services).flatMap((one) => (one.build ? [user(one)] : []));
    expect(users).toEqual(['hub', 'gateway', 'gateway']);
    vi.stubEnv('TAGWRIGHT_HUB_URL', server.url('tagwright').replace('postgres@', 'gateway:choose-another@'));
    const refused = await commandLine(['gateway', 'keys', 'add', 'my-erp']);
    expect([refused.code, refused.err]).toEqual([9, expect.stringContaining('permission denied')]);
    // Free ports on loopback instead of those of the container.
    const args = (COMPOSE.services['gateway-1']?.command ?? []).map((arg) =>
      arg
        .replace('0.0.0.0', '127.0.0.1')
        .replace('4881', '0')
        .replace(/^\$\{.*\}$/, 'events.example.com'),
    );
    let interrupt = () => {};
    let printed = '';
    const ended = runCommand([...args, '--port', '0', '--json'], {
      onListen: (stop) => (interrupt = stop),
      onOut: (text) => (printed += text),
    });
    await expect.poll(() => printed).toContain('"metrics"');
    const { metrics }: { metrics: string } = JSON.parse(printed);
    expect((await fetch(metrics.replace('/metrics', '/readyz'))).status).toBe(200);
    expect(await (await fetch(metrics)).text()).toContain('tagwright_hub_up 1');
    interrupt();
    expect((await ended).code).toBe(0);
  });
});
