/** A thread that searches one long text of an API call for secrets: to parse 30 MB would block main for a second. */
import { parentPort, workerData } from 'node:worker_threads';
import type { SearchAnswer, SearchTask } from './long-credentials.ts';
import { credentialsIn } from './masking.ts';

const { bytes, charset }: SearchTask = workerData;
// As main encodes them: half of a pair of surrogates is no character.
const values = credentialsIn([], '', new TextDecoder(charset).decode(bytes)).map((value) => value.toWellFormed());
let end = 0;
const ends = Uint32Array.from(values, (value) => (end += Buffer.byteLength(value)));
const answer: SearchAnswer = { bytes: new TextEncoder().encode(values.join('')), ends };
parentPort?.postMessage(answer, [answer.bytes.buffer, ends.buffer]);
