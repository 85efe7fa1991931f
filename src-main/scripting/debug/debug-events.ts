import type { Json } from '#domain/text/json';

/** A message of a session: what it is, and then events of the Debug Adapter Protocol. */
export type DebugMessage = { type: 'session'; session: string } | { type: 'event'; event: string; body?: Json };

/** Outputs that are kept for later followers of a session, and that wait for a slow reader. */
const MOST_OUTPUTS = 1_000;
/** A slow reader of other events is dropped: steps wait for people, so it cannot be behind by so many. */
const MOST_WAITING = 10_000;

/** The events of a session, for everyone who follows it. */
export class DebugEvents {
  readonly #followers = new Set<Follower>();
  #outputs: DebugMessage[] = [];
  #state: DebugMessage[] = [];

  get followers(): number {
    return this.#followers.size;
  }

  /** An output, which later followers get too. */
  output(body: Json): void {
    const message: DebugMessage = { type: 'event', event: 'output', body };
    this.#outputs.push(message);
    if (this.#outputs.length > MOST_OUTPUTS * 2) this.#outputs = this.#outputs.slice(-MOST_OUTPUTS);
    this.#send(message);
  }

  emit(event: string, body?: Json): void {
    this.#send({ type: 'event', event, ...(body !== undefined && { body }) });
  }

  /**
   * Events with the current state: later followers get these instead of the earlier ones. `details` are further members
   * of the body of the last one, only for current followers.
   */
  state(events: { event: string; body?: Json }[], details: Record<string, Json> = {}): void {
    this.#state = events.map((one) => ({ type: 'event', ...one }));
    const last = this.#state.length - 1;
    for (const [index, message] of this.#state.entries())
      this.#send(index === last ? detailed(message, details) : message);
  }

  /** The run starts again. */
  clear(): void {
    this.#outputs = [];
    this.#state = [];
  }

  /** First the events that show the state, then all events from now on. Ends when the session or the signal does. */
  async *follow(first: DebugMessage, signal: AbortSignal): AsyncGenerator<DebugMessage, void, void> {
    const follower = new Follower([first, ...this.#outputs.slice(-MOST_OUTPUTS), ...this.#state]);
    const end = () => follower.end();
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    this.#followers.add(follower);
    try {
      yield* follower.all();
    } finally {
      signal.removeEventListener('abort', end);
      this.#followers.delete(follower);
    }
  }

  /** The session is over: streams end after what waits. */
  close(): void {
    for (const follower of this.#followers) follower.end();
  }

  #send(message: DebugMessage): void {
    for (const follower of this.#followers) follower.push(message);
  }
}

function detailed(message: DebugMessage, details: Record<string, Json>): DebugMessage {
  if (message.type !== 'event' || Object.keys(details).length === 0) return message;
  const body = typeof message.body === 'object' && !Array.isArray(message.body) ? message.body : {};
  return { ...message, body: { ...body, ...details } };
}

const isOutput = (message: DebugMessage): boolean => message.type === 'event' && message.event === 'output';

/** Events in their order. Bounded: a log point in a loop drops its oldest texts. */
class Follower {
  readonly #waiting: DebugMessage[];
  #outputs = 0;
  #isOver = false;
  #wake: () => void = () => undefined;

  constructor(first: DebugMessage[]) {
    this.#waiting = first;
    this.#outputs = first.filter(isOutput).length;
  }

  push(message: DebugMessage): void {
    if (this.#isOver) return;
    if (isOutput(message)) {
      this.#outputs += 1;
      if (this.#outputs > MOST_OUTPUTS) {
        this.#waiting.splice(this.#waiting.findIndex(isOutput), 1);
        this.#outputs -= 1;
      }
    }
    this.#waiting.push(message);
    if (this.#waiting.length > MOST_WAITING) this.#isOver = true;
    this.#wake();
  }

  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  async *all(): AsyncGenerator<DebugMessage, void, void> {
    for (;;) {
      const next = this.#waiting.shift();
      if (next !== undefined) {
        if (isOutput(next)) this.#outputs -= 1;
        yield next;
        continue;
      }
      if (this.#isOver) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
