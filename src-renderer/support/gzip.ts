/** Characters of Base64 that are made at once: a call has a limited number of arguments. */
const PART = 32_768;

/** A text in UTF-8, compressed with gzip, in Base64. */
export async function gzipText(text: string): Promise<string> {
  const bytes = await bytesOf(new Blob([text]).stream().pipeThrough(new CompressionStream('gzip')));
  let binary = '';
  for (let from = 0; from < bytes.length; from += PART) {
    binary += String.fromCharCode(...bytes.subarray(from, from + PART));
  }
  return btoa(binary);
}

/** What `gzipText` made, as bytes. Rejects with the reason if it is damaged. */
export async function gunzipped(packed: string): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  return bytesOf(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')));
}

const bytesOf = async (stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await new Response(stream).arrayBuffer());
