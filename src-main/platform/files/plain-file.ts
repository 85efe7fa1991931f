import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
  writeFileSync,
} from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';

// On Windows, those two are missing, and count as 0.
const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;
const ON_WINDOWS = process.platform === 'win32';
/** The errors of opening a link, a pipe or socket without another end, or a folder for writing. */
const NOT_PLAIN = new Set<unknown>(['ELOOP', 'EMLINK', 'ENXIO', 'EISDIR']);

interface OpenOptions {
  /** Also opens a file through a link: for files that users may put elsewhere. */
  links?: boolean;
}

/** Something other than a file has the name of a file. */
export class NotAFile extends Error {
  override readonly name = 'NotAFile';
  readonly code = 'ENOTFILE';

  constructor(path: string, cause?: unknown) {
    super(
      `"${path}" is a link, a folder or a special file where Tagwright has a file. Move it out of the folder and try again.`,
      { cause },
    );
  }
}

/**
 * Opens a file of a workspace folder, in which other programs can create entries: a link would lead elsewhere, and
 * opening or reading a named pipe could wait forever. Throws NotAFile for these, and errors of the file system.
 * @param flags of `open`; new files can be read by their owner only
 */
export function openPlain(path: string, flags: number = O_RDONLY, { links = false }: OpenOptions = {}): number {
  // Windows has no flag for it.
  if (!links && ON_WINDOWS && isLink(path)) throw new NotAFile(path);
  let file: number;
  try {
    file = openSync(path, flags | O_NONBLOCK | (links ? 0 : O_NOFOLLOW), 0o600);
  } catch (thrown) {
    throw known(path, thrown);
  }
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  throw new NotAFile(path);
}

/** Like `openPlain`, for work that must not block. Rejects with its errors. */
export async function handleOfPlain(
  path: string,
  flags: number = O_RDONLY,
  { links = false }: OpenOptions = {},
): Promise<FileHandle> {
  if (!links && ON_WINDOWS && isLink(path)) throw new NotAFile(path);
  const handle = await open(path, flags | O_NONBLOCK | (links ? 0 : O_NOFOLLOW), 0o600).catch((thrown: unknown) => {
    throw known(path, thrown);
  });
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw new NotAFile(path);
}

/** The text of a file. Throws the errors of `openPlain`. */
export function readPlain(path: string, options?: OpenOptions): string {
  return within(openPlain(path, O_RDONLY, options), (file) => readFileSync(file, 'utf8'));
}

/** Replaces the content of a file, or creates it. Throws the errors of `openPlain`. */
export function writePlain(path: string, content: string | Uint8Array): void {
  within(openPlain(path, O_WRONLY | O_CREAT), (file) => {
    // Not by a flag of `open`, which would also empty special files.
    ftruncateSync(file);
    writeFileSync(file, content);
  });
}

/** Adds to a file, or creates it. Throws the errors of `openPlain`. */
export function appendPlain(path: string, text: string): void {
  within(openPlain(path, O_WRONLY | O_CREAT | O_APPEND), (file) => writeFileSync(file, text));
}

/** Some bytes of an open file, as far as it goes. */
export type ReadBytes = (at: number, length: number) => Buffer;

/** The first bytes of a file, as far as it goes; null if there is none, or something else. Throws other errors. */
export function firstBytesOf(path: string, length: number, options?: OpenOptions): Buffer | null {
  return bytesOf(path, (read) => read(0, length), options);
}

/** What `work` makes of parts of a file; null if there is none, or something else. Throws other errors. */
export function bytesOf<T>(path: string, work: (read: ReadBytes) => T, options?: OpenOptions): T | null {
  try {
    return within(openPlain(path, O_RDONLY, options), (file) =>
      work((at, length) => {
        const bytes = Buffer.alloc(length);
        return bytes.subarray(0, readSync(file, bytes, 0, length, at));
      }),
    );
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? thrown.code : '';
    if (code === 'ENOENT' || code === 'ENOTFILE') return null;
    throw thrown;
  }
}

const isLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;

function known(path: string, thrown: unknown): unknown {
  const isOther = thrown instanceof Error && 'code' in thrown && NOT_PLAIN.has(thrown.code);
  return isOther ? new NotAFile(path, thrown) : thrown;
}

function within<T>(file: number, work: (file: number) => T): T {
  try {
    return work(file);
  } finally {
    closeSync(file);
  }
}
