import { createHash } from 'node:crypto';
import { existsSync, realpathSync, renameSync, rmSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { handleOfPlain, writePlain } from '../../platform/files/plain-file.ts';
import { makeOwnFolder } from '../../platform/files/private-files.ts';
import { storageError } from '../../storage/storage-error.ts';
import { HttpFailure } from '../http/http-failure.ts';

/** The folder of a workspace for bodies of mocks that are too large for its database. */
export class MockFiles {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** A file of this folder only. Throws HttpFailure `MockError`, also if it is too large. */
  async read(name: string, maxBytes: number): Promise<Buffer> {
    const bad = (why: string) =>
      new HttpFailure('MockError', `the file ${JSON.stringify(name)} of the mock ${why}; it must be in "mock-files"`);
    let file: FileHandle | null = null;
    try {
      const folder = realpathSync(this.folder);
      const path = realpathSync(join(folder, name));
      if (!path.startsWith(folder + sep)) throw bad('is outside of its folder');
      // What has become a link or a pipe since is refused.
      file = await handleOfPlain(path);
      if ((await file.stat()).size > maxBytes)
        throw new HttpFailure('ResponseTooLarge', `the file ${JSON.stringify(name)} is too large`);
      return await file.readFile();
    } catch (thrown) {
      throw thrown instanceof HttpFailure ? thrown : bad('cannot be read');
    } finally {
      await file?.close();
    }
  }

  /** Whether the file exists. */
  has(name: string): boolean {
    return !/[\\/]|^\.\.?$/.test(name) && existsSync(join(this.folder, name));
  }

  /** Stores a body under a name derived from its content; returns the name. Throws STORAGE_FULL and similar errors. */
  keep(body: Buffer, extension: string): string {
    const name = `${createHash('sha256').update(body).digest('hex').slice(0, 24)}.${extension}`;
    const file = join(this.folder, name);
    try {
      makeOwnFolder(this.folder);
      // A partial file would be mistaken for the whole, because of its name.
      rmSync(`${file}.new`, { force: true });
      writePlain(`${file}.new`, body);
      renameSync(`${file}.new`, file);
    } catch (thrown) {
      rmSync(`${file}.new`, { force: true });
      throw storageError(thrown, file);
    }
    return name;
  }
}
