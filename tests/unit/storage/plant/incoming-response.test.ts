import { expect, test } from 'vitest';
import { IncomingResponse } from '../../../../src-main/storage/plant/incoming-response.ts';
import { FROM_PLANT_HOST, MAX_RESPONSE_SIZE, MAX_FRAME_BYTES } from '../../../../src-main/storage/plant/protocol.ts';

const MB = 1024 ** 2;
const LIMITS = { ms: 1_000, rows: 1_000_000 };

test('the bytes of a response are limited, however little its frames contain', () => {
  const response = new IncomingResponse(1, LIMITS);
  const frame = `[[1]${' '.repeat(MB)}]`;
  const limit = () => response.payloadLimit(FROM_PLANT_HOST.rows);
  expect(limit()).toBe(MAX_FRAME_BYTES);
  let received = 0;
  for (; limit() >= frame.length && received < 1_000 * MB; received += frame.length)
    response.receive(FROM_PLANT_HOST.rows, frame);
  expect(received).toBeLessThan(400 * MB);
});

test('a response of the largest size is accepted in its longest form', () => {
  const response = new IncomingResponse(1, LIMITS);
  const text = '\u0000'.repeat(MB);
  for (let size = MB; size < MAX_RESPONSE_SIZE; size += MB) {
    const frame = JSON.stringify([[text]]);
    expect(response.payloadLimit(FROM_PLANT_HOST.rows)).toBeGreaterThanOrEqual(frame.length);
    response.receive(FROM_PLANT_HOST.rows, frame);
  }
  const last = JSON.stringify([{ columns: ['v'], rows: [['x']], changes: 0, ms: 1 }]);
  expect(response.payloadLimit(FROM_PLANT_HOST.results)).toBeGreaterThanOrEqual(last.length);
  response.receive(FROM_PLANT_HOST.results, last);
  expect(response.receive(FROM_PLANT_HOST.done, 'null')).toMatchObject({ results: [{ columns: ['v'] }] });
});
