/** A thread that instruments one long body, because its parser would block main. */
import { parentPort, workerData } from 'node:worker_threads';
import type { InstrumentRequest } from './prepared.ts';
import { preparedNow } from './prepared.ts';

const { form, body }: InstrumentRequest = workerData;
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of a thread has no origin
parentPort?.postMessage(preparedNow(form, body));
