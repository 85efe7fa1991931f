/** A thread that masks the long body of a recorded response, and writes it to the folder of mocks. */
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf, TagwrightError } from '../../../platform/errors.ts';
import { SecretMask } from '../../secrets/secret-mask.ts';
import { MockFiles } from '../mock-files.ts';
import { type BodyAnswer, type BodyTask, bodyOf } from './recorded-body.ts';

function answerTo({ headers, body, forms, folder }: BodyTask): BodyAnswer {
  try {
    const received = { headers, body: Buffer.from(body.buffer) };
    return { body: bodyOf(received, SecretMask.withForms(forms), new MockFiles(folder)) };
  } catch (thrown) {
    return { code: thrown instanceof TagwrightError ? thrown.code : null, message: messageOf(thrown) };
  }
}

const task: BodyTask = workerData;
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of a thread has no origin
parentPort?.postMessage(answerTo(task));
