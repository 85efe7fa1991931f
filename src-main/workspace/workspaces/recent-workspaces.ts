import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import envPaths from 'env-paths';
import { z } from 'zod';
import type { RecentWorkspace } from '#domain/workspace/workspace';
import type { Clock } from '../../platform/clock.ts';
import { systemClock } from '../../platform/clock.ts';

/** Maximum number of workspaces in the list. */
export const REMEMBERED = 20;

const content = z.object({ workspaces: z.array(z.object({ directory: z.string(), openedAt: z.iso.datetime() })) });
type StoredWorkspace = z.infer<typeof content>['workspaces'][number];

/** The list of the user: in TAGWRIGHT_STATE, else in the system's folder for application data. */
export function recentWorkspacesFile(environment: NodeJS.ProcessEnv = process.env): string {
  const named = environment['TAGWRIGHT_STATE'];
  const folder = named ? resolve(named) : envPaths('tagwright', { suffix: '' }).data;
  return join(folder, 'recent-workspaces.json');
}

/**
 * The workspaces that were opened on this machine, in a file of the user. It is a convenience: a missing or damaged
 * file is an empty list, and is replaced when the next workspace is opened.
 */
export class RecentWorkspaces {
  readonly #file: string;
  readonly #clock: Clock;

  constructor(file: string = recentWorkspacesFile(), clock: Clock = systemClock) {
    this.#file = file;
    this.#clock = clock;
  }

  /** Newest first. */
  list(): RecentWorkspace[] {
    return this.#read().map((entry) => ({
      ...entry,
      state: existsSync(join(entry.directory, 'workspace.db')) ? 'there' : 'gone',
    }));
  }

  /** Moves the workspace to the front. Throws errors of the file system. */
  remember(directory: string): void {
    const entry = { directory: resolve(directory), openedAt: this.#clock.iso() };
    this.#write([entry, ...this.#read().filter((one) => !isSame(one, directory))].slice(0, REMEMBERED));
  }

  /** Removes the workspace from the list without changing it. Returns whether it was there. */
  forget(directory: string): boolean {
    const before = this.#read();
    const after = before.filter((one) => !isSame(one, directory));
    if (after.length === before.length) return false;
    this.#write(after);
    return true;
  }

  #read(): StoredWorkspace[] {
    try {
      return content.safeParse(JSON.parse(readFileSync(this.#file, 'utf8'))).data?.workspaces ?? [];
    } catch {
      return [];
    }
  }

  /** All or nothing, even if two instances start at once. */
  #write(workspaces: readonly StoredWorkspace[]): void {
    mkdirSync(dirname(this.#file), { recursive: true });
    const unfinished = `${this.#file}.${process.pid}.new`;
    try {
      writeFileSync(unfinished, `${JSON.stringify({ workspaces }, null, 2)}\n`, { mode: 0o600 });
      renameSync(unfinished, this.#file);
    } finally {
      rmSync(unfinished, { force: true });
    }
  }
}

function isSame({ directory }: StoredWorkspace, other: string): boolean {
  const [one, two] = [resolve(directory), resolve(other)];
  return process.platform === 'win32' ? one.toLowerCase() === two.toLowerCase() : one === two;
}
