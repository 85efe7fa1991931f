import type { Json } from '#domain/text/json';
import { checkCount, checkMembers, parsed, ProtocolError } from '../../platform/host-pipe/checks.ts';
import type { Limits, PlantResponse, PlantError, PlantResult } from './protocol.ts';
import {
  FROM_PLANT_HOST,
  MAX_RESPONSE_SIZE,
  MAX_FRAME_BYTES,
  MAX_LONG_MESSAGES,
  MAX_MESSAGE,
  PLANT_FAULTS,
  SHORT_MESSAGE,
  sizeOf,
} from './protocol.ts';

/** The longest form of a character in JSON: `\u0000`. */
const MAX_BYTES_PER_CHARACTER = 6;
/** The bytes of a result besides its values and its message. */
const RESULT_BYTES = 1_000;

/** Maximum size of a frame from a plant host in bytes; -1 for an unknown type. */
function payloadLimit(type: number): number {
  switch (type) {
    case FROM_PLANT_HOST.rows:
    case FROM_PLANT_HOST.results:
      return MAX_FRAME_BYTES;
    case FROM_PLANT_HOST.done:
      return 8 * MAX_MESSAGE;
    default:
      return -1;
  }
}

/**
 * An incoming response to one request. Nothing in it is trusted: frames that none of our plant hosts sends are
 * rejected.
 */
export class IncomingResponse {
  readonly #statements: number;
  readonly #maxRows: number;
  readonly #results: PlantResult[] = [];
  /** Rows of the next result. */
  #rows: Json[][] = [];
  #room = MAX_RESPONSE_SIZE;
  /** What messages may still have beyond a short one. */
  #longMessages = MAX_LONG_MESSAGES;
  /** The bytes that may still come. */
  #bytes: number;

  /** @param statements maximum number of results */
  constructor(statements: number, { rows }: Limits) {
    this.#statements = statements;
    this.#maxRows = rows;
    const characters = MAX_RESPONSE_SIZE + MAX_LONG_MESSAGES + statements * SHORT_MESSAGE;
    this.#bytes = MAX_BYTES_PER_CHARACTER * characters + (statements + 1) * RESULT_BYTES;
  }

  /** The maximum size of the next frame if it has this type, in bytes; -1 for an unknown type. */
  payloadLimit(type: number): number {
    return Math.min(payloadLimit(type), this.#bytes);
  }

  /** Handles a frame; returns the response if it is complete, else null. Throws ProtocolError. */
  receive(type: number, text: string): PlantResponse | null {
    this.#bytes = Math.max(0, this.#bytes - text.length);
    switch (type) {
      case FROM_PLANT_HOST.rows:
        this.#addRows(filled(listOf(parsed(text, 'rows'))));
        return null;
      case FROM_PLANT_HOST.results:
        for (const result of filled(listOf(parsed(text, 'results')))) this.#add(result);
        return null;
      default: {
        const error = parsed(text, 'the end of a response');
        if (error !== null) return { error: checkError(error) };
        if (this.#results.length !== this.#statements) throw new ProtocolError('an incomplete response');
        return { results: this.#results };
      }
    }
  }

  #add(value: unknown): void {
    if (this.#results.length >= this.#statements) throw new ProtocolError('more results than there are statements');
    if (typeof value === 'object' && value !== null && 'error' in value) {
      const error = checkError(checkMembers(value, ['error']).error);
      this.#longMessages -= Math.max(0, error.message.length - SHORT_MESSAGE);
      if (this.#longMessages < 0) throw new ProtocolError('more text of errors than one response may contain');
      this.#results.push({ error });
      this.#rows = [];
      return;
    }
    const { columns, rows, changes, ms, more } = checkMembers(value, ['columns', 'rows', 'changes', 'ms'], 'more');
    if (typeof ms !== 'number' || (more !== undefined && more !== true)) throw new ProtocolError('an invalid result');
    this.#addRows(listOf(rows));
    const names = listOf(columns).map((name) => {
      if (typeof name !== 'string') throw new ProtocolError('a column without a name');
      this.#take(name);
      return name;
    });
    if (this.#rows.some(({ length }) => length !== names.length)) throw new ProtocolError('a row with other columns');
    this.#results.push({ columns: names, rows: this.#rows, ...(more && { more }), changes: checkCount(changes), ms });
    this.#rows = [];
  }

  #addRows(rows: readonly unknown[]): void {
    if (this.#rows.length + rows.length > this.#maxRows) throw new ProtocolError('more rows than requested');
    for (const row of rows) {
      const values = listOf(row);
      if (values.length === 0) throw new ProtocolError('a row without values');
      this.#rows.push(
        values.map((value) => {
          if (typeof value !== 'string' && typeof value !== 'number' && value !== null)
            throw new ProtocolError('a value that no database contains');
          this.#take(value);
          return value;
        }),
      );
    }
  }

  #take(value: Json): void {
    this.#room -= sizeOf(value);
    if (this.#room < 0) throw new ProtocolError('more than one response may contain');
  }
}

function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new ProtocolError('a value that is not a list');
  return value;
}

function filled(list: readonly unknown[]): readonly unknown[] {
  if (list.length === 0) throw new ProtocolError('an empty frame');
  return list;
}

function checkError(value: unknown): PlantError {
  const { fault: named, message, sqlite } = checkMembers(value, ['fault', 'message'], 'sqlite');
  const fault = PLANT_FAULTS.find((one) => one === named);
  if (fault === undefined || typeof message !== 'string' || message.length > MAX_MESSAGE)
    throw new ProtocolError('an impossible error');
  if (sqlite === undefined) return { fault, message };
  if (typeof sqlite !== 'number' || !Number.isSafeInteger(sqlite)) throw new ProtocolError('an impossible error');
  return { fault, message, sqlite };
}
