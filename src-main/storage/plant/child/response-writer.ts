import type { BlockingPipe } from '../../../platform/host-pipe/blocking-pipe.ts';
import type { Json } from '#domain/text/json';
import type { PlantError, PlantResult } from '../protocol.ts';
import { FROM_PLANT_HOST, MAX_FRAME_BYTES, MAX_LONG_MESSAGES, SHORT_MESSAGE, sizeOf } from '../protocol.ts';

/** The size of the data collected for one frame: main parses it in a few ms. */
const FRAME_SIZE = 128 * 1024;
/** The size of a result besides its rows. */
const RESULT_SIZE = 100;
/** Main ends a process that sends nothing for long. */
const FLUSH_MS = 1_000;
/** The maximum number of UTF-8 bytes for a UTF-16 code unit. */
const MAX_BYTES_PER_UNIT = 3;

/** Sends the response to a request in pieces, so that no frame is larger than its largest row requires. */
export class ResponseWriter {
  readonly #pipe: BlockingPipe;
  #results: PlantResult[] = [];
  #size = 0;
  /** What messages may still have beyond a short one. */
  #longMessages = MAX_LONG_MESSAGES;
  #sentAt = performance.now();

  constructor(pipe: BlockingPipe) {
    this.#pipe = pipe;
  }

  add(result: PlantResult): void {
    const sent = 'error' in result ? this.#withShorterMessage(result) : this.#withoutFirstRows(result);
    this.#results.push(sent);
    this.#size += RESULT_SIZE;
    if (this.#size >= FRAME_SIZE || performance.now() - this.#sentAt > FLUSH_MS) this.#flush();
  }

  done(error: PlantError | null): void {
    this.#flush();
    this.#pipe.write(FROM_PLANT_HOST.done, JSON.stringify(error));
  }

  #withShorterMessage({ error }: { error: PlantError }): PlantResult {
    const message = error.message.slice(0, SHORT_MESSAGE + this.#longMessages);
    this.#longMessages -= Math.max(0, message.length - SHORT_MESSAGE);
    this.#size += message.length;
    return { error: { ...error, message } };
  }

  /** Sends all rows except the last ones, which are sent with the result. */
  #withoutFirstRows(result: Exclude<PlantResult, { error: PlantError }>): PlantResult {
    let rows: Json[][] = [];
    let size = 0;
    for (const row of result.rows) {
      rows.push(row);
      for (const value of row) size += sizeOf(value);
      if (size < FRAME_SIZE) continue;
      this.#flush();
      const text = JSON.stringify(rows);
      if (isTooLong(text)) return { error: TOO_LONG };
      this.#pipe.write(FROM_PLANT_HOST.rows, text);
      rows = [];
      size = 0;
    }
    this.#size += size;
    return { ...result, rows };
  }

  #flush(): void {
    if (this.#results.length === 0) return;
    this.#pipe.write(FROM_PLANT_HOST.results, JSON.stringify(this.#results));
    this.#results = [];
    this.#size = 0;
    this.#sentAt = performance.now();
  }
}

const isTooLong = (text: string): boolean =>
  text.length * MAX_BYTES_PER_UNIT > MAX_FRAME_BYTES && Buffer.byteLength(text) > MAX_FRAME_BYTES;

const TOO_LONG: PlantError = {
  fault: 'size',
  message: `one row of its result takes more than ${MAX_FRAME_BYTES / 1_048_576} MB as JSON; read fewer columns at a time`,
};
