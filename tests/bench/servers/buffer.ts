import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

/** Serves the bytes of a file from memory: the minimum cost of a response of that size. */
const bytes = readFileSync(process.argv[2] ?? '');
const server = createServer((_request, response) => void response.end(bytes));
process.once('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  process.send?.({ url: `http://127.0.0.1:${port}` });
});
