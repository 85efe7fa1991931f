import type { IncomingMessage } from 'node:http';

/** The whole body, or null as soon as it exceeds `limit` bytes. Rejects if the client disconnects. */
export function readBody(request: IncomingMessage, limit: number): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    if (Number(request.headers['content-length']) > limit) {
      request.resume();
      resolve(null);
      return;
    }
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      // The rest is read and discarded: closing the connection could overtake the response.
      if (size > limit) resolve(null);
      else chunks.push(chunk);
    });
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('error', reject);
    request.once('close', () => reject(new Error('the client disconnected')));
  });
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]]/g;

/**
 * The first name that an object of a JSON text has twice, at any depth; null if there is none. JSON.parse silently
 * keeps the last of them, other parsers the first, so that two programs would read different texts. The text must be
 * valid JSON. Names are compared after unescaping: `"\u0041ctive"` is `Active`.
 */
export function duplicateMember(text: string): string | null {
  /** The names of each object around the current place; null for arrays. */
  const around: (Set<string> | null)[] = [];
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === '{') around.push(new Set());
    else if (token === '[') around.push(null);
    else if (token === '}' || token === ']') around.pop();
    else if (isName(text, index + token.length)) {
      const names = around.at(-1);
      const name: string = JSON.parse(token);
      if (names?.has(name)) return name;
      names?.add(name);
    }
  }
  return null;
}

/** Whether the string that ends there is the name of a member. */
function isName(text: string, end: number): boolean {
  let at = end;
  while (' \t\r\n'.includes(text.charAt(at)) && at < text.length) at += 1;
  return text.charAt(at) === ':';
}
