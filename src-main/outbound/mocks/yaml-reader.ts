/** A thread that parses YAML, which takes seconds and gigabytes for some texts, and returns JSON. */
import { parentPort, workerData } from 'node:worker_threads';
import { parse } from 'yaml';

/** Aliases of long texts can expand a small text without bound. */
const MOST_LENGTH = 64 * 1_048_576;

const value: unknown = parse(String(workerData), { maxAliasCount: 1_000, logLevel: 'error' });
const json = JSON.stringify(value ?? null);
if (json.length > MOST_LENGTH) throw new Error(`it unfolds to more than ${MOST_LENGTH / 1_048_576} MB`);
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of a thread has no origin
parentPort?.postMessage(json);
