import { take } from '../http.ts';

/** Reads the answer of the URL that is named, and ends. */
const { status } = await take(process.argv[2] ?? '');
process.exit(status === 200 ? 0 : 1);
