import { isAbsolute } from 'node:path';
import type { RecentWorkspace, WorkspaceCopy } from '#domain/workspace/workspace';
import { TagwrightError } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import { fillNewFolder } from '../../storage/workspace/new-folder.ts';
import { RecentWorkspaces } from './recent-workspaces.ts';

export interface WorkspacesParts {
  /** Creates a workspace in an empty folder, with or without the sample. */
  open: (directory: string, sample: boolean) => Promise<{ close(): Promise<void> }>;
  /** Copies the open workspace into a new or empty folder. */
  copy: (to: { target: string; withSecrets: boolean }) => Promise<WorkspaceCopy>;
  log: Pick<Log, 'warn'>;
  recent?: RecentWorkspaces;
}

/** The other workspaces besides the open one. Methods are named after the procedures of the contract. */
export class WorkspacesService {
  readonly #parts: WorkspacesParts;
  readonly #recent: RecentWorkspaces;

  constructor(parts: WorkspacesParts) {
    this.#parts = parts;
    this.#recent = parts.recent ?? new RecentWorkspaces();
  }

  /** Newest first. */
  recent(): RecentWorkspace[] {
    return this.#recent.list();
  }

  /** Adds an opened workspace to the list; failing to write the list has no other effect. */
  remember(directory: string): void {
    try {
      this.#recent.remember(directory);
    } catch (thrown) {
      this.#parts.log.warn('the workspace is not on the list of recent ones', { thrown: String(thrown) });
    }
  }

  /** Throws BAD_REQUEST for a path that is not absolute, or a folder that is not empty. */
  async create({ directory, sample }: { directory: string; sample: boolean }): Promise<{ directory: string }> {
    checkAbsolute(directory);
    return fillNewFolder(directory, async (folder) => {
      const made = await this.#parts.open(folder, sample);
      await made.close();
      return { directory: folder };
    });
  }

  /** Throws the errors of `create`. */
  async copy({ directory, withSecrets }: { directory: string; withSecrets: boolean }): Promise<WorkspaceCopy> {
    checkAbsolute(directory);
    return this.#parts.copy({ target: directory, withSecrets });
  }
}

/** The current folder of the instance is unknown to its clients. */
function checkAbsolute(directory: string): void {
  if (isAbsolute(directory)) return;
  throw new TagwrightError('BAD_REQUEST', `"${directory}" is not an absolute path. Enter the path from the root.`);
}
