import { take } from '../http.ts';

/** Reads the response of the given URL, and exits. */
const { status } = await take(process.argv[2] ?? '');
process.exit(status === 200 ? 0 : 1);
