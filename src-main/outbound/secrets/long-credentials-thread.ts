/** A thread that searches one long text of an API call for secrets: to parse 30 MB would block main for a second. */
import { parentPort, workerData } from 'node:worker_threads';
import type { SearchAnswer, SearchTask } from './long-credentials.ts';
import { credentialsIn } from './masking.ts';

const { bytes, charset }: SearchTask = workerData;
const answer: SearchAnswer = { values: credentialsIn([], '', new TextDecoder(charset).decode(bytes)) };
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of a thread has no origin
parentPort?.postMessage(answer);
