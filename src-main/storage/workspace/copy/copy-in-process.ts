import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import type { ErrorCode } from '#contract/errors';
import type { JsonObject } from '#domain/text/json';
import type { WorkspaceCopy } from '#domain/workspace/workspace';
import { TagwrightError } from '../../../platform/errors.ts';
import { programFile } from '../../../platform/files/programs.ts';
import type { CopyRequest } from './copy-workspace.ts';

/** The final message of the process that copies. */
export type CopyResponse = { done: WorkspaceCopy } | { failed: { code: ErrorCode; message: string; data: JsonObject } };

/**
 * Copies the workspace in a separate process, for the one that holds it. Throws the errors of `copyWorkspace`.
 * @param nodeBinary a plain Node of the product
 * @param root the folder of the product
 */
export async function copyInProcess(
  request: CopyRequest,
  { nodeBinary, root }: { nodeBinary: string; root: string },
): Promise<WorkspaceCopy> {
  const child = spawn(
    nodeBinary,
    ['--no-warnings', '--disable-sigusr1', programFile('workspace-copy', root), JSON.stringify(request)],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    },
  );
  const started = new Promise<void>((resolve, reject) => child.once('spawn', resolve).once('error', reject));
  const [printed, complained] = await Promise.all([text(child.stdout), text(child.stderr), started]);
  const response: CopyResponse | null = printed === '' ? null : JSON.parse(printed);
  if (response && 'done' in response) return response.done;
  if (response?.failed.code === 'INTERNAL') throw new Error(`the workspace was not copied: ${response.failed.message}`);
  if (response) throw new TagwrightError(response.failed.code, response.failed.message, { data: response.failed.data });
  throw new Error(`the process that copies the workspace ended without a response: ${complained.slice(-2_000)}`);
}
