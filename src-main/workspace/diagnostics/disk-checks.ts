import { execFile } from 'node:child_process';
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { mkdtemp, open, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve, sep } from 'node:path';
import { promisify } from 'node:util';
import { messageOf } from '../../platform/errors.ts';
import { isFull } from '../../storage/storage-error.ts';
import type { Check, DiagnosticFinding, CheckInput } from './check.ts';
import { notChecked, ok, problem, sizeText, warning } from './check.ts';

const run = promisify(execFile);
const MB = 2 ** 20;
/** Less space is a problem: a busy workspace fills it within minutes. */
const LEAST_BYTES = 50 * MB;
/** Less space is a warning, as is less than a copy of both databases needs. */
const ENOUGH_BYTES = 500 * MB;
const TRIED_BYTES = 64 * 1024;

/** File systems of other machines, whose locks and write-ahead logs are unreliable. */
const NETWORK =
  /^(?:nfs\d?|cifs|smb\w*|afs|afpfs|webdav|9p|ceph|glusterfs|lustre|ncpfs|fuse\.(?:sshfs|davfs|glusterfs|rclone|s3fs|gvfsd-fuse))$/;
/** File systems in memory. */
const VOLATILE = /^(?:tmpfs|ramfs)$/;

/** Whether there is enough space on a suitable kind of disk. */
export const DISK_CHECKS: readonly Check[] = [
  { id: 'disk.workspace', group: 'Disk', title: 'Space for the workspace', run: space },
  { id: 'disk.temp', group: 'Disk', title: 'Temporary files', run: temporary },
  { id: 'disk.kind', group: 'Disk', title: 'File system', run: kind },
];

async function space({ workspace }: CheckInput): Promise<DiagnosticFinding> {
  const { bavail, bsize, ffree, files } = await statfs(nearest(workspace));
  const free = bavail * bsize;
  const needed = ['workspace.db', 'workspace.db-wal', 'plant.db', 'plant.db-wal'].reduce(
    (sum, name) => sum + (statSync(join(workspace, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
  const fix = `Free some space on the disk of "${workspace}": delete old files in its folder backups, or move it to a larger disk.`;
  if (files > 0 && ffree === 0) return problem('the file system cannot hold another file (no inodes are left)', fix);
  const detail = `${sizeText(free)} free; the databases have ${sizeText(needed)}`;
  if (free < LEAST_BYTES) return problem(detail, fix);
  return free < Math.max(ENOUGH_BYTES, needed)
    ? warning(`${detail}, and a backup needs as much again`, fix)
    : ok(detail);
}

/** Writes a small file: a quota rejects that while the disk still has space. */
async function temporary(): Promise<DiagnosticFinding> {
  const fix = `Free some space in "${tmpdir()}", or set another folder in the environment variable ${process.platform === 'win32' ? 'TEMP' : 'TMPDIR'}.`;
  let folder: string | null = null;
  try {
    folder = await mkdtemp(join(tmpdir(), 'tagwright-doctor-'));
    const file = await open(join(folder, 'written'), 'wx', 0o600);
    try {
      await file.write(Buffer.alloc(TRIED_BYTES, 1));
      await file.sync();
    } finally {
      await file.close();
    }
    const { bavail, bsize } = await statfs(folder);
    const free = bavail * bsize;
    const detail = `${sizeText(free)} free in ${tmpdir()}; a file was written`;
    return free < LEAST_BYTES ? warning(detail, fix) : ok(detail);
  } catch (thrown) {
    const why = isFull(thrown) ? 'it is full, or your quota is used up' : messageOf(thrown);
    return problem(`no file can be written in ${tmpdir()}: ${why}`, fix);
  } finally {
    if (folder !== null) await rm(folder, { recursive: true, force: true });
  }
}

async function kind({ workspace }: CheckInput): Promise<DiagnosticFinding> {
  const name = await fileSystemOf(realpathSync(nearest(workspace)));
  if (name === null) return notChecked('the system does not report the file system');
  if (NETWORK.test(name)) {
    return problem(
      `"${workspace}" is on a network share (${name}): changes may be lost and databases damaged`,
      'Move the workspace to a local disk (tagwright workspaces copy), and copy backups to the share instead.',
    );
  }
  if (VOLATILE.test(name)) {
    return warning(
      `"${workspace}" is in memory (${name}): it is lost when the machine restarts`,
      'Copy the workspace to a disk: tagwright workspaces copy',
    );
  }
  return ok(name);
}

async function fileSystemOf(path: string): Promise<string | null> {
  if (process.platform === 'win32') return path.startsWith('\\\\') ? 'smb' : null;
  if (process.platform === 'linux') return mountedAs(readFileSync('/proc/self/mounts', 'utf8'), path);
  if (process.platform !== 'darwin') return null;
  return mountedAs(linuxMounts((await run('/sbin/mount')).stdout), path);
}

/** The output of `mount` on macOS in the format of Linux: `//me@host/share on /Volumes/share (smbfs, nodev)`. */
export function linuxMounts(text: string): string {
  return text.replaceAll(/^(\S+) on (.+) \((\w+).*\)$/gm, (_, device: string, folder: string, type: string) =>
    [device, folder.replaceAll(' ', '\\040'), type].join(' '),
  );
}

/** The file system that contains a path, from the text of `/proc/mounts`; of several on one folder the last counts. */
export function mountedAs(mounts: string, path: string): string | null {
  let best: { folder: string; type: string } | null = null;
  for (const line of mounts.split('\n')) {
    const [, written, type] = line.split(' ');
    if (written === undefined || type === undefined) continue;
    const folder = written.replaceAll(/\\(\d{3})/g, (_, octal: string) =>
      String.fromCharCode(Number.parseInt(octal, 8)),
    );
    const holds = folder === '/' || path === folder || path.startsWith(folder + sep);
    if (holds && folder.length >= (best?.folder.length ?? 0)) best = { folder, type };
  }
  return best?.type ?? null;
}

/** The folder, or its nearest existing parent. */
function nearest(folder: string): string {
  let path = resolve(folder);
  while (!existsSync(path) && path !== dirname(path)) path = dirname(path);
  return path;
}
