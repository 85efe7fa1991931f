import { spawn } from 'node:child_process';
import { constants, statSync } from 'node:fs';
import { copyFile, mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { ErrorCode } from '#contract/errors';
import type { JsonObject } from '#domain/text/json';
import { TagwrightError } from '../../../platform/errors.ts';
import { programFile } from '../../../platform/files/programs.ts';
import { isDamage } from '../../storage-error.ts';
import type { ExaminedFile, PagesFound, WorkspaceFacts } from './examine.ts';

/** A line of the examining process. */
export type ExaminationLine =
  | { done: number; total: number }
  | { facts: WorkspaceFacts }
  | { pages: PagesFound }
  | { failed: { code: ErrorCode; message: string; data: JsonObject } };

export interface ExaminationOptions {
  /** Whether an instance has the file open, so that it is read concurrently. */
  held: boolean;
  /** A plain Node of the product. */
  nodeBinary: string;
  /** The folder of the product. */
  root: string;
  signal: AbortSignal;
}

export interface PageCheckOptions extends ExaminationOptions {
  /** Also checks every index, without a pause. */
  full: boolean;
  /** Time limit in ms, after which the rest is not checked; null for none. */
  withinMs: number | null;
  progress: (done: number, total: number) => void;
}

/** The results within the time limit, and the number of checked tables. */
export type PageCheck = { found: PagesFound } | { checkedTables: number; tables: number };

/** Free space to leave besides the copy, bytes. */
const ROOM_LEFT = 64 * 1024 * 1024;

/** The metadata of workspace.db. Throws the errors of opening it, without changing the file or those next to it. */
export async function examineFacts(file: string, options: ExaminationOptions): Promise<WorkspaceFacts> {
  return onView(file, options, async (view) => {
    for await (const line of linesOf({ ...view, what: 'facts' }, options)) if ('facts' in line) return line.facts;
    throw new Error('the examining process ended without a response');
  });
}

/** Checks the pages of a database. Throws the errors of `examineFacts`. */
export async function examinePages(file: string, options: PageCheckOptions): Promise<PageCheck> {
  return onView(file, options, async (view) => {
    const { full, withinMs, signal, progress } = options;
    const enough = withinMs === null ? null : AbortSignal.timeout(withinMs);
    const either = enough ? AbortSignal.any([signal, enough]) : signal;
    let at = { done: 0, total: 0 };
    const request = { ...view, what: full ? ('pages-full' as const) : ('pages' as const) };
    try {
      for await (const line of linesOf(request, { ...options, signal: either })) {
        if ('pages' in line) return { found: line.pages };
        if ('done' in line) progress((at = line).done, line.total);
      }
    } catch (thrown) {
      if (signal.aborted || enough?.aborted !== true) throw thrown;
      return { checkedTables: at.done, tables: at.total };
    }
    throw new Error('the examining process ended without a response');
  });
}

type Request = ExaminedFile & { what: 'facts' | 'pages' | 'pages-full' };

/** Ends the process as soon as the signal aborts, even within a statement; throws its error. */
async function* linesOf(
  request: Request,
  { nodeBinary, root, signal }: Pick<ExaminationOptions, 'nodeBinary' | 'root' | 'signal'>,
): AsyncGenerator<ExaminationLine> {
  signal.throwIfAborted();
  const child = spawn(
    nodeBinary,
    ['--no-warnings', '--disable-sigusr1', programFile('examination', root), JSON.stringify(request)],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    },
  );
  const end = () => void child.kill('SIGKILL');
  signal.addEventListener('abort', end, { once: true });
  const started = new Promise<void>((resolve, reject) => child.once('spawn', resolve).once('error', reject));
  const complained = text(child.stderr);
  let last: ExaminationLine | null = null;
  try {
    await started;
    for await (const printed of createInterface({ input: child.stdout })) {
      const line: ExaminationLine = JSON.parse(printed);
      last = line;
      if ('failed' in line) throw new TagwrightError(line.failed.code, line.failed.message, { data: line.failed.data });
      yield line;
    }
    signal.throwIfAborted();
    if (last === null || 'done' in last)
      throw new Error(`it ended without a response: ${(await complained).slice(-500)}`);
  } finally {
    signal.removeEventListener('abort', end);
    end();
  }
}

/**
 * Does work on the file in a way that is safe now. Throws UNAVAILABLE if an unused file was changed in the meantime.
 */
async function onView<T>(file: string, { held }: ExaminationOptions, work: (view: ExaminedFile) => Promise<T>) {
  if (held) return work({ file, path: file, way: 'shared' });
  const before = stampOf(file);
  const logs = ['-wal', '-journal'].map((suffix) => file + suffix).filter((log) => sizeOf(log) > 0);
  if (logs.length === 0) return settled(file, before, () => work({ file, path: file, way: 'unused' }));
  // SQLite would finish the leftovers of a crash here: the workspace must not be changed, so a copy is read.
  const folder = await mkdtemp(join(tmpdir(), 'tagwright-doctor-'));
  try {
    await checkRoom(file, logs, folder);
    for (const one of [file, ...logs]) await copyFile(one, join(folder, basename(one)), constants.COPYFILE_FICLONE);
    return await settled(file, before, () => work({ file, path: join(folder, basename(file)), way: 'copy' }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A file that another program is writing looks damaged. */
async function settled<T>(file: string, before: string, work: () => Promise<T>): Promise<T> {
  const moved = () =>
    new TagwrightError('UNAVAILABLE', `"${file}" was changed while it was read. Run the checks again.`, {
      data: { file },
    });
  try {
    const result = await work();
    if (stampOf(file) !== before) throw moved();
    return result;
  } catch (thrown) {
    const damage = isDamage(thrown) || (thrown instanceof TagwrightError && thrown.code === 'WORKSPACE_DAMAGED');
    throw damage && stampOf(file) !== before ? moved() : thrown;
  }
}

async function checkRoom(file: string, logs: readonly string[], folder: string): Promise<void> {
  const needed = [file, ...logs].reduce((sum, one) => sum + sizeOf(one), ROOM_LEFT);
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize >= needed) return;
  throw new TagwrightError(
    'STORAGE_FULL',
    `"${file}" has a log left by a crash, so a copy of it is checked. That needs ${Math.ceil(needed / 1_048_576)} MB in "${tmpdir()}". Free some space there, or start Tagwright once on the workspace, which finishes the log.`,
    { data: { file, needed } },
  );
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

function stampOf(file: string): string {
  return ['', '-wal', '-journal']
    .map((suffix) => statSync(file + suffix, { throwIfNoEntry: false }))
    .map((stats) => (stats ? `${stats.mtimeMs}:${stats.size}:${stats.ino}` : 'none'))
    .join();
}
