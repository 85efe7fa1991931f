import { take } from '../http.ts';

/** Reads the response of the given URL, requested with the given headers (JSON), and exits. */
const { status } = await take(process.argv[2] ?? '', { headers: JSON.parse(process.argv[3] ?? '{}') });
process.exit(status === 200 ? 0 : 1);
