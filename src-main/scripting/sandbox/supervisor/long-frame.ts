import { parseInPieces, type Parsed, parseWithParts } from '../../../platform/long-texts/json-pieces.ts';
import { inTurns, type Steps } from '../../../platform/turns.ts';
import { checkExcess, ProtocolError } from '../../../platform/host-pipe/checks.ts';
import { excessInSteps } from '../../../platform/host-pipe/json-cost.ts';

/** What a long frame may be. */
export interface LongFrameRules {
  /** Its name for people. */
  what: string;
  /** In the units of JSON_COST. */
  cost: number;
  /** Levels of arrays and objects. */
  levels?: number;
  /** Whether its long texts stay in parts. */
  inParts?: boolean;
  /** Bytes that the host may send before the frame is parsed. */
  after: number;
}

/**
 * A long frame of a host. It is checked and parsed in turns with everything else, and what the host sends in the meantime waits.
 */
export class LongFrame {
  readonly #rules: LongFrameRules;
  readonly #stop = new AbortController();
  readonly #later: Buffer[] = [];
  #room: number;

  constructor(rules: LongFrameRules) {
    this.#rules = rules;
    this.#room = rules.after;
  }

  /** Keeps what follows the frame. Throws ProtocolError if our hosts send less. */
  hold(chunk: Buffer): void {
    this.#room -= chunk.length;
    if (this.#room < 0) throw new ProtocolError(`more data after ${this.#rules.what}, before it was read`);
    this.#later.push(chunk);
  }

  /** What followed the frame. */
  get later(): Buffer {
    return Buffer.concat(this.#later);
  }

  /** The parsed frame. Rejects with ProtocolError, or with any error once it is dropped. */
  read(payload: Buffer): Promise<Parsed> {
    return inTurns(readInSteps(payload, this.#rules), this.#stop.signal);
  }

  /** Stops reading it. */
  drop(): void {
    this.#stop.abort();
  }
}

function* readInSteps(payload: Buffer, { what, cost, levels, inParts = false }: LongFrameRules): Steps<Parsed> {
  checkExcess(yield* excessInSteps(payload, cost, levels));
  yield;
  try {
    return yield* inParts ? parseWithParts(payload) : parseInPieces(payload);
  } catch (thrown) {
    if (thrown instanceof SyntaxError) throw new ProtocolError(`${what} that is not JSON`);
    throw thrown;
  }
}
