import type { Command } from 'commander';
import type { Cause } from '#domain/run/journal';
import { calledBy } from '../platform/caller.ts';
import { TagwrightError } from '../platform/errors.ts';
import type { Log } from '../platform/log.ts';
import type { Doctor } from '../host/doctor.ts';
import type { InstanceClient } from '../host/instance-client.ts';
import type { Holder, WorkspaceSession } from '../host/workspace-session.ts';
import type { Io } from './io.ts';

/** The context of a command. */
export interface CommandContext {
  readonly io: Io;
  readonly log: Log;
  /** The folder of the workspace: from the option, or the user's default. */
  workspace(named: string | undefined): string;
  /** The instance that holds the workspace if one runs, else the workspace opened by this process. */
  connect(options: WorkspaceOption & Making & Purpose): Promise<WorkspaceSession>;
  /** The instance that holds the workspace, or null. */
  holder(directory: string): Promise<Holder | null>;
  /** Checks the workspace without opening it. */
  doctor(directory: string): Promise<Doctor>;
  /** Sets the exit code of the command, if it is not 0. */
  exit(code: number): void;
}

/** How to create a workspace that does not exist yet. */
export interface Making {
  /** Without the sample. */
  empty?: boolean;
  /** The command itself reports that it was created. */
  announced?: boolean;
}

/** What a command does with its session. */
export interface Purpose {
  /** The name of the file or folder that it imports, for the journal. */
  importing?: string;
  /** It runs scripts: their host starts while the workspace opens, and otherwise with the first run. */
  runsScripts?: boolean;
}

export interface WorkspaceOption {
  workspace?: string;
}

export interface JsonOption {
  json?: boolean;
}

export function withWorkspace(command: Command): Command {
  return command.option(
    '-w, --workspace <dir>',
    'folder of the workspace (default: $TAGWRIGHT_WORKSPACE, else a folder in your profile)',
  );
}

export function withJson(command: Command): Command {
  return command.option('--json', 'print JSON and nothing else on stdout');
}

/**
 * The instance that serves the workspace, for commands that require one.
 * @throws TagwrightError UNAVAILABLE if there is none
 */
export async function runningInstance(
  context: CommandContext,
  directory: string,
): Promise<{ url: string; token: string; pid: number }> {
  const holder = await context.holder(directory);
  if (holder?.url && holder.token) return { url: holder.url, token: holder.token, pid: holder.pid };
  throw new TagwrightError(
    'UNAVAILABLE',
    `No instance serves the workspace "${directory}". Start one with "tagwright start" or "tagwright serve".`,
  );
}

/** Does the work in a session, and always closes it. */
export async function inSession<T>(
  context: CommandContext,
  options: WorkspaceOption & Making & Purpose,
  work: (client: InstanceClient) => Promise<T>,
): Promise<T> {
  const session = await context.connect(options);
  const { importing } = options;
  const from = 'command line';
  const caller: Cause = importing === undefined ? { by: 'person', from } : { by: 'import', from, what: importing };
  try {
    return await calledBy(caller, () => work(session.client));
  } finally {
    await session.close();
  }
}
