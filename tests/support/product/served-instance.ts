import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import type { RunReport } from '#domain/run/run';
import type { InstanceAddress, InstanceClient, InstanceConnection } from '../../../src-main/host/instance-client.ts';
import { connectInstance } from '../../../src-main/host/instance-client.ts';
import type { Ended, Started } from './product.ts';
import { startHeadless, startTagwright, tagwright } from './product.ts';

/** The product in normal use: `tagwright serve`, by default without its launcher, with the events API on a free port. */
export interface ServedInstance {
  readonly command: Started;
  /** The pid of the instance itself; `command` can be its launcher. */
  readonly pid: number;
  readonly workspace: string;
  /** The address of the events API. */
  readonly eventsApi: string;
  readonly port: number;
  /** The one-time address of the workbench; null if it is not served. */
  readonly ui: string | null;
  /** The current address for programs. */
  address(): InstanceAddress;
  /** A client of it, the same at every call. Closed with the instance. */
  client(): Promise<InstanceClient>;
  run(body: string): Promise<RunReport>;
  /** Resident memory of main, MB. */
  memoryMb(): number;
  /** Stops it gracefully, and removes the workspace if it was created for it. */
  close(): Promise<Ended>;
}

export interface ServeOptions {
  /** A folder; an empty one gets the sample. If omitted, a fresh workspace is created, and removed at the end. */
  workspace?: string;
  /** Whether it also serves the workbench, or the port for it; true is a free port. */
  ui?: boolean | number;
  /** Whether the launcher starts it, as in normal use. */
  launcher?: boolean;
  env?: NodeJS.ProcessEnv;
}

let sample: Promise<string> | null = null;

/**
 * Created once for each worker: copying it takes a tenth of the time of creating it. Tests of a first start create
 * their own.
 */
async function copySample(workspace: string): Promise<void> {
  sample ??= makeSample();
  cpSync(await sample, workspace, { recursive: true });
}

async function makeSample(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'tagwright-sample-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const { code, err } = await tagwright(['tags', 'list', '--json', '--workspace', folder]);
  if (code !== 0) throw new Error(`the sample workspace could not be made: ${err}`);
  return folder;
}

/** The caller closes it. */
export async function startInstance(options: ServeOptions = {}): Promise<ServedInstance> {
  const { workspace: given, ui = false, launcher = false, env } = options;
  const workspace = given ?? mkdtempSync(join(tmpdir(), 'tagwright-served-'));
  if (!existsSync(workspace) || readdirSync(workspace).length === 0) await copySample(workspace);
  const pages = ui === false ? ['--no-ui'] : ['--ui-port', ui === true ? '0' : String(ui)];
  const start = launcher ? startTagwright : startHeadless;
  const command = start(['serve', '--json', '--workspace', workspace, '--port', '0', ...pages], env);
  const line: { eventsApi: string; pid: number; ui?: string | null } = JSON.parse(await command.firstLine());
  const address = (): InstanceAddress => JSON.parse(readFileSync(join(workspace, 'instance.json'), 'utf8'));
  let connection: Promise<InstanceConnection> | null = null;
  /** Connecting fails while the instance reopens its workspace; the next call retries. */
  const connect = async (): Promise<InstanceConnection> => {
    try {
      const opened = await connectInstance(address());
      opened.lost.addEventListener('abort', () => (connection = null));
      return opened;
    } catch (thrown) {
      connection = null;
      throw thrown;
    }
  };
  const client = async () => {
    connection ??= connect();
    return (await connection).client;
  };
  return {
    command,
    pid: line.pid,
    workspace,
    eventsApi: line.eventsApi,
    port: Number(new URL(line.eventsApi).port),
    ui: line.ui ?? null,
    address,
    client,
    run: async (body) => {
      const context = { tagName: 'A.B.C', tagScopeDiagram: null, tagScopeLocation: null };
      return (await client()).runs.execute({ body, context, dryRun: false });
    },
    memoryMb: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${line.pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024,
    close: async () => {
      await connection?.then(
        (opened) => opened.close(),
        () => undefined,
      );
      command.kill('SIGTERM');
      const ended = await command.ended;
      if (given === undefined) rmSync(workspace, { recursive: true, force: true });
      return ended;
    },
  };
}

/** The same, for programs only; it ends with the test. */
export async function serve(
  workspace: string,
  env?: NodeJS.ProcessEnv,
  { launcher = false } = {},
): Promise<ServedInstance> {
  const instance = await startInstance({ workspace, launcher, ...(env && { env }) });
  onTestFinished(async () => void (await instance.close()));
  return instance;
}
/** A tag of the sample that changes only by writes. */
export const TARGET = 'Bottling.Line1.Shift.Target.Value';
export const target = async (client: InstanceClient) => (await client.tags.get({ paths: [TARGET] }))[0]?.value;
export const setTarget = (client: InstanceClient, value: number) =>
  client.tags.set({ items: [{ tag: TARGET, value }] });

/**
 * A client of the instance at its current address. Waits while the instance reopens its workspace. Closed with the
 * test.
 */
export async function clientOf(workspace: string): Promise<InstanceClient> {
  const address = await vi.waitFor(
    () => {
      const read: { url: string | null; token: string } = JSON.parse(
        readFileSync(join(workspace, 'instance.json'), 'utf8'),
      );
      if (read.url === null) throw new Error('it serves nobody yet');
      return { url: read.url, token: read.token };
    },
    { interval: 20 },
  );
  const connection = await connectInstance(address);
  onTestFinished(() => connection.close());
  return connection.client;
}

/** The instance info after the workspace was reopened. `before` is when it was opened the previous time. */
export async function reopened(workspace: string, before: string) {
  return vi.waitFor(
    async () => {
      const info = await (await clientOf(workspace)).app.info();
      if (info.startedAt === before) throw new Error('not yet');
      return info;
    },
    { interval: 50 },
  );
}
