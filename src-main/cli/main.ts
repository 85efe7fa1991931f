import { resolve } from 'node:path';
import type { Log } from '../platform/log.ts';
import { createLog } from '../platform/log.ts';
import { defaultWorkspace, productRoot } from '../platform/files/paths.ts';
import { productVersion } from '../platform/version.ts';
import type { CommandContext, Making, Purpose } from './context.ts';
import type { Io } from './io.ts';
import { processIo } from './io.ts';
import { runProgram } from './program.ts';

/** Runs the command line of this process, and ends the process when its output has been written. */
export async function main(args: readonly string[]): Promise<void> {
  const io = processIo();
  const log = createLog({ level: 'warn' });
  const code = await runCommandLine(args, io, log);
  await written(process.stdout);
  await written(process.stderr);
  process.exit(code);
}

/** Runs a command line on real workspaces and instances; resolves with its exit code. */
export function runCommandLine(args: readonly string[], io: Io, log: Log): Promise<number> {
  return runProgram(args, (exit) => contextOf(io, log, exit), productVersion(productRoot()));
}

function contextOf(io: Io, log: Log, exit: (code: number) => void): CommandContext {
  return {
    io,
    log,
    workspace: workspaceOf,
    holder,
    exit,
    doctor: async (directory) => {
      const { openDoctor } = await import('../host/doctor.ts');
      // The check itself reports a native library that does not load.
      return openDoctor(directory, await holder(directory).catch(() => null));
    },
    connect: async ({ workspace, empty = false, announced = false, runsScripts = false, importing }) =>
      connectTo(workspaceOf(workspace), { empty, announced, runsScripts, importing, log, io }),
  };
}

const workspaceOf = (named: string | undefined) => (named === undefined ? defaultWorkspace() : resolve(named));

async function holder(directory: string) {
  const { readInstance } = await import('../storage/workspace/instance-lock.ts');
  return readInstance(directory);
}

/** Loads only the needed modules: a command that finds a running instance loads no sandbox and no services. */
async function connectTo(
  directory: string,
  {
    empty,
    announced,
    runsScripts,
    importing,
    log,
    io,
  }: Required<Making & Omit<Purpose, 'importing'>> & {
    importing: string | undefined;
    log: Log;
    io: Io;
  },
) {
  // Before the rest is loaded, which takes as long. An instance that holds the workspace has its own hosts.
  if (runsScripts && !(await holder(directory))) await (await import('./early-host.ts')).startHost();
  const { openSession } = await import('../host/workspace-session.ts');
  return openSession({
    log,
    holder: () => holder(directory),
    connect: async (address) => {
      const { connectInstance } = await import('../host/instance-client.ts');
      return connectInstance(address, importing);
    },
    open: async () => {
      const root = productRoot();
      const { openWorkbench } = await import('../workbench.ts');
      const workbench = await openWorkbench({ directory, root, createSample: !empty, oneShot: true, runsScripts, log });
      if (workbench.created && !empty && !announced) io.err(`Created the sample workspace in ${directory}\n`);
      return workbench;
    },
  });
}

function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((done) => {
    stream.write('', () => done());
  });
}
