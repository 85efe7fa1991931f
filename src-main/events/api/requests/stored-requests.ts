import { constants } from 'node:fs';
import { rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { apiRequest } from '#contract/schemas';
import type { ApiRequest } from '#domain/mock/api-request';
import { maskText } from '../../../platform/mask-secrets.ts';
import { handleOfPlain } from '../../../platform/files/plain-file.ts';
import { makeOwnFolder } from '../../../platform/files/private-files.ts';

/** Requests are written together at this interval. */
const EVERY_MS = 1_000;
/** Maximum number that wait for that: if a client sends more, the excess is missing from the file. */
const MAX_WAITING = 2_000;
const MAX_FILE_BYTES = 1_000_000;
const { O_APPEND, O_CREAT, O_WRONLY } = constants;

/**
 * The requests in a file of the workspace, one JSON object per line, so that they survive a restart. At 1 MB the file
 * becomes `<file>.1`, replacing the previous one. Nothing waits for it, and a failing disk only loses these lines.
 */
export class StoredRequests {
  readonly #file: string;
  #waiting: ApiRequest[] = [];
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> = Promise.resolve();
  /** Whether this process has written to the file. */
  #begun = false;

  constructor(file: string) {
    this.#file = file;
  }

  /** The lines of the newest that were stored, oldest first; empty if the files are missing or unreadable. */
  async load(most: number): Promise<string[]> {
    const texts = await Promise.all([`${this.#file}.1`, this.#file].map((file) => textOf(file).catch(() => '')));
    return texts.join('\n').split('\n').slice(-most);
  }

  add(request: ApiRequest): void {
    if (this.#waiting.length >= MAX_WAITING) return;
    this.#waiting.push(request);
    this.#timer ??= setTimeout(() => void this.flush(), EVERY_MS).unref();
  }

  /** Writes the waiting requests. Never rejects. */
  flush(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    // A full or missing disk must not affect responses.
    return (this.#writing = this.#writing.then(() => this.#write()).catch(() => undefined));
  }

  async #write(): Promise<void> {
    if (this.#waiting.length === 0) return;
    const lines = this.#waiting.map((request) => `${JSON.stringify({ ...request, path: maskText(request.path) })}\n`);
    this.#waiting = [];
    const size = (await stat(this.#file).catch(() => null))?.size ?? 0;
    if (size === 0) makeOwnFolder(dirname(this.#file));
    const isFull = size > 0 && size + lines.join('').length > MAX_FILE_BYTES;
    if (isFull) await rename(this.#file, `${this.#file}.1`);
    // The last line may have been cut off when a process was killed.
    const begin = size > 0 && !isFull && !this.#begun ? '\n' : '';
    this.#begun = true;
    await using file = await handleOfPlain(this.#file, O_WRONLY | O_CREAT | O_APPEND);
    await file.writeFile(begin + lines.join(''));
  }
}

async function textOf(path: string): Promise<string> {
  await using file = await handleOfPlain(path);
  return await file.readFile('utf8');
}

/** The request in a line of the file; null if the line is damaged. */
export function requestOf(line: string): ApiRequest | null {
  try {
    return apiRequest.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}
