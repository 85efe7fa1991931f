import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

/** Serves the bytes of a gzip file from blocks in memory: the minimum cost of a list whose blocks are all cached. */
const BLOCK_BYTES = 10_000;
const bytes = readFileSync(process.argv[2] ?? '');
const blocks = Array.from({ length: Math.ceil(bytes.length / BLOCK_BYTES) }, (_, n) =>
  Buffer.from(bytes.subarray(n * BLOCK_BYTES, (n + 1) * BLOCK_BYTES)),
);
const server = createServer((_request, response) => {
  response.setHeader('Content-Encoding', 'gzip');
  for (const block of blocks) response.write(block);
  response.end();
});
process.once('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  process.send?.({ url: `http://127.0.0.1:${port}` });
});
