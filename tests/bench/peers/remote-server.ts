import { spawn } from 'node:child_process';
import { createServer } from 'node:http';

/**
 * `/small` responds with 1 kB of JSON, `/image` with 8 MB, `/text` with 30 MB of JSON, `/error` with an error and 15 MB of
 * JSON, `/page` with one of HTML, `/slow` after 5 s, `/received` when it has the whole request. `/tokens?rows=ROWS&every=N` responds
 * with rows of JSON, each Nth of them with a token. A separate process, like a remote server.
 */
export interface BenchRemoteServer {
  base: string;
  close(): void;
}

export const IMAGE_BYTES = 8 * 1_048_576;
export const TEXT_BYTES = 30 * 1_048_576;
const ERROR_BYTES = 15 * 1_048_576;
const SLOW_MS = 5_000;

export async function startBenchRemoteServer(): Promise<BenchRemoteServer> {
  const child = spawn(process.execPath, [import.meta.filename], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { TAGWRIGHT_REMOTE_SERVER: '1' },
  });
  const line = Promise.withResolvers<string>();
  child.stdout.once('data', (chunk: Buffer) => line.resolve(chunk.toString().trim()));
  child.once('error', line.reject);
  return { base: `http://127.0.0.1:${await line.promise}`, close: () => void child.kill() };
}

/** Rows of about 100 bytes. */
function rowsWithTokens(count: number, every: number): Buffer {
  const rows = Array.from({ length: count }, (_, row) => ({
    path: `Plant.Line${row}.Filler.Level`,
    text: 'gr\u00fcn 50% \u20ac',
    unit: 'l',
    ...(row % every === 0 && { access_token: `token-of-the-row-${row}` }),
  }));
  return Buffer.from(JSON.stringify(rows));
}

function serve(): void {
  const small = JSON.stringify({ text: 'x'.repeat(1_010) });
  const image = Buffer.alloc(IMAGE_BYTES, Buffer.from(Array.from({ length: 256 }, (_, index) => (index * 151) % 256)));
  const row = Buffer.from('{"path":"Plant.Line1.Filler.Level","text":"gr\u00fcn 50% \\u20ac"},');
  const text = Buffer.alloc(TEXT_BYTES, row);
  const error = Buffer.from(JSON.stringify(Array.from({ length: ERROR_BYTES / row.length }, () => row.toString())));
  const page = Buffer.alloc(ERROR_BYTES, '<p title="error">gr\u00fcn 50% \u20ac</p>\n');
  const server = createServer((request, response) => {
    if (request.url === '/image') {
      response.writeHead(200, { 'Content-Type': 'image/png', 'Content-Length': IMAGE_BYTES }).end(image);
    } else if (request.url?.startsWith('/text') === true) {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': TEXT_BYTES }).end(text);
    } else if (request.url?.startsWith('/tokens?') === true) {
      const { rows, every } = Object.fromEntries(new URL(request.url, 'http://bench').searchParams);
      const tokens = rowsWithTokens(Number(rows), Number(every));
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': tokens.length }).end(tokens);
    } else if (request.url === '/error') {
      response.writeHead(500, { 'Content-Type': 'application/json', 'Content-Length': error.length }).end(error);
    } else if (request.url === '/page') {
      response.writeHead(500, { 'Content-Type': 'text/html', 'Content-Length': page.length }).end(page);
    } else if (request.url === '/received') {
      request.resume().once('end', () => response.end('{}'));
    } else if (request.url === '/slow') {
      setTimeout(() => response.end('{}'), SLOW_MS);
    } else {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': small.length }).end(small);
    }
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    process.stdout.write(`${typeof address === 'object' && address !== null ? address.port : 0}\n`);
  });
}

if (process.env['TAGWRIGHT_REMOTE_SERVER'] === '1') serve();
