import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../free-port.ts';

const DEBIAN = '/usr/lib/postgresql';
const START_MS = 60_000;

/** The folder of the programs of PostgreSQL as Debian installs them; null if it is not installed. */
export function postgresPrograms(): string | null {
  if (!existsSync(DEBIAN)) return null;
  const version = readdirSync(DEBIAN).toSorted((a, b) => Number(b) - Number(a))[0];
  const folder = join(DEBIAN, version ?? '', 'bin');
  return existsSync(join(folder, 'initdb')) ? folder : null;
}

export interface PostgresServer {
  port: number;
  /** The address of a database on it, for its superuser. */
  url: (database: string) => string;
  createDatabase: (name: string) => void;
  /** Ends the server at once, as a crash does; `start` starts it again on the same files and port. */
  kill: () => Promise<void>;
  start: () => Promise<void>;
  stop: () => Promise<void>;
}

/** A PostgreSQL server in a temporary folder, on loopback, run by an unprivileged user. It accepts local users without a password. */
export async function startPostgres(): Promise<PostgresServer> {
  const programs = postgresPrograms();
  if (programs === null) throw new Error('PostgreSQL is not installed: apt-get install postgresql');
  const user = unprivilegedUser();
  const folder = mkdtempSync('/tmp/tw-postgres-');
  if (user) chownSync(folder, user.uid, user.gid);
  chmodSync(folder, 0o700);
  const data = join(folder, 'data');
  const options = { cwd: folder, ...user, env: { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' } };
  execFileSync(join(programs, 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'], {
    ...options,
    stdio: 'pipe',
  });
  const port = await freePort();
  let server: ReturnType<typeof spawn> | null = null;

  const start = async () => {
    const args = ['-D', data, '-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', `unix_socket_directories=`];
    server = spawn(join(programs, 'postgres'), args, { ...options, stdio: 'ignore' });
    // After a crash it first writes all files to the disk, which takes a busy machine more than 10 s.
    const until = performance.now() + START_MS;
    while (performance.now() < until) {
      try {
        execFileSync(join(programs, 'pg_isready'), ['-q', '-h', '127.0.0.1', '-p', String(port)], options);
        return;
      } catch {
        await pause(50);
      }
    }
    throw new Error(`PostgreSQL did not start within ${START_MS / 1_000} s`);
  };
  const end = async (signal: NodeJS.Signals) => {
    if (server?.exitCode !== null || server.signalCode !== null) return;
    server.kill(signal);
    await once(server, 'exit');
  };
  await start();
  return {
    port,
    url: (database) => `postgres://postgres@127.0.0.1:${port}/${database}`,
    createDatabase: (name) => {
      execFileSync(
        join(programs, 'createdb'),
        ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', name],
        options,
      );
    },
    kill: () => end('SIGQUIT'),
    start,
    stop: async () => {
      await end('SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** PostgreSQL does not run as root: the user that Debian created for it. */
function unprivilegedUser(): { uid: number; gid: number } | null {
  if (userInfo().uid !== 0) return null;
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}
