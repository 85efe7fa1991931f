/** Saves a text as a file: the browser's download, the desktop's save dialog. */
export function saveText(name: string, text: string, type = 'text/plain'): void {
  saveBlob(name, new Blob([text], { type: `${type};charset=utf-8` }));
}

/** Saves bytes as a file. */
export function saveBlob(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // After the download has started: it reads the URL later.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Asks for one file; null if the user cancels. `accept` as in HTML: `.csv,.json`. */
export async function pickFile(accept: string): Promise<File | null> {
  return (await pickFiles(accept, false))[0] ?? null;
}

function pickFiles(accept: string, multiple: boolean, folder = false): Promise<File[]> {
  return new Promise((resolve) => {
    const input = document.createElement('input');
    input.type = 'file';
    input.accept = accept;
    input.multiple = multiple;
    input.webkitdirectory = folder;
    input.addEventListener('change', () => resolve([...(input.files ?? [])]));
    input.addEventListener('cancel', () => resolve([]));
    input.click();
  });
}

/** Asks for one text file; null if the user cancels. Throws an Error for a file that is not text, like `decodeText`. */
export async function pickText(accept: string): Promise<{ name: string; text: string } | null> {
  const file = await pickFile(accept);
  return file && (await textOf(file));
}

/** A file, and its path from a chosen folder on, with the name of that; without a folder, its name. */
export interface PlacedFile {
  path: string;
  file: File;
}

/** Asks for files; none if the user cancels. */
export async function pickSeveral(accept: string): Promise<PlacedFile[]> {
  return (await pickFiles(accept, true)).map((file) => ({ path: file.name, file }));
}

/** Asks for a folder, and returns all files in it; none if the user cancels. */
export async function pickFolder(): Promise<PlacedFile[]> {
  return (await pickFiles('', true, true)).map((file) => ({ path: file.webkitRelativePath, file }));
}

/**
 * The files that were dropped, and those in dropped folders, except hidden ones and `node_modules`. To be called in the
 * handler of the event. Throws an Error for more than `most`, with the folders.
 */
export async function droppedFiles(transfer: DataTransfer, most: number): Promise<PlacedFile[]> {
  // Before the first wait: afterwards, the event has no files.
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  // Files that are on no disk have no entry.
  const found = entries.length > 0 ? [] : [...transfer.files].map((file): PlacedFile => ({ path: file.name, file }));
  let seen = 0;
  const visit = async (entry: FileSystemEntry) => {
    seen += 1;
    if (seen > most)
      throw new Error(`You dropped more than ${most.toLocaleString('en')} files and folders. Drop fewer.`);
    if (isFileEntry(entry)) {
      const file = await new Promise<File>((resolve, reject) => {
        entry.file(resolve, reject);
      });
      found.push({ path: entry.fullPath.replace(/^\//, ''), file });
    } else if (isFolderEntry(entry) && !/^(?:\..*|node_modules)$/.test(entry.name)) {
      const reader = entry.createReader();
      for (;;) {
        // oxlint-disable no-await-in-loop -- it returns a part of them, until there are none
        const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
        if (part.length === 0) return;
        for (const inner of part) await visit(inner);
        // oxlint-enable no-await-in-loop
      }
    }
  };
  // oxlint-disable-next-line no-await-in-loop -- in the order of the list
  for (const entry of entries) await visit(entry);
  return found;
}

const isFileEntry = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolderEntry = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

/** The text of a file. Throws an Error for a file that is not text, like `decodeText`. */
export async function textOf(file: File): Promise<{ name: string; text: string }> {
  return { name: file.name, text: decodeText(new Uint8Array(await file.arrayBuffer())) };
}

const UTF_16 = [
  { mark: [0xff, 0xfe], name: 'utf-16le' },
  { mark: [0xfe, 0xff], name: 'utf-16be' },
];

/**
 * The text of a file: UTF-8, or UTF-16 with its byte order mark, as some spreadsheets save it. Throws an Error for
 * anything else: letters of another encoding would silently change.
 */
export function decodeText(bytes: Uint8Array): string {
  const utf16 = UTF_16.find(({ mark }) => mark.every((byte, place) => bytes[place] === byte));
  if (!utf16 && bytes.includes(0))
    throw new Error('This is not a text file: it contains zero bytes. Choose another file.');
  try {
    return new TextDecoder(utf16?.name ?? 'utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Error(
      'This is not UTF-8 text. Save it with the encoding UTF-8 (in Excel: “CSV UTF-8”) and choose it again.',
    );
  }
}
