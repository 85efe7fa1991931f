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

function pickFiles(accept: string, multiple: boolean): Promise<File[]> {
  return new Promise((resolve) => {
    const input = document.createElement('input');
    input.type = 'file';
    input.accept = accept;
    input.multiple = multiple;
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

/** Asks for text files, like `pickText`; none if the user cancels. */
export async function pickTexts(accept: string): Promise<{ name: string; text: string }[]> {
  return Promise.all((await pickFiles(accept, true)).map(textOf));
}

async function textOf(file: File): Promise<{ name: string; text: string }> {
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
