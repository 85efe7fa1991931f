import type { DebugProtocol } from '@vscode/debugprotocol';
import type {
  DebugClient,
  DebugRequestName,
  SessionMessage,
  DebugRequests,
} from '../../../../../../src-renderer/features/scripts/debug/model/debug-client.ts';

type Answer = (args: never) => unknown;

/** A debug adapter that a test plays: it answers requests, and sends events. */
export class FakeDebugClient implements DebugClient {
  readonly sent: { command: DebugRequestName; args: unknown }[] = [];
  /** Responses by command; an Error rejects. Default: an empty body. */
  answers: Partial<Record<DebugRequestName, Answer>> = {};
  opened: (string | null)[] = [];
  /** Rejects the next `open`. */
  refusal: Error | null = null;
  #push: (message: SessionMessage | null) => void = () => {};
  #lose: () => void = () => {};

  async open(session: string | null, signal: AbortSignal): Promise<AsyncIterable<SessionMessage>> {
    this.opened.push(session);
    if (this.refusal) throw this.refusal;
    const { readable, writable } = new TransformStream<SessionMessage, SessionMessage>();
    const writer = writable.getWriter();
    this.#push = (message) => void (message ? writer.write(message) : writer.close()).catch(() => {});
    this.#lose = () => void writer.abort(new Error('lost')).catch(() => {});
    signal.addEventListener('abort', () => void writer.close().catch(() => {}));
    this.#push({ type: 'session', session: session ?? 's1' });
    return readable;
  }

  async send<C extends DebugRequestName>(
    _session: string,
    command: C,
    args: DebugRequests[C]['arguments'],
  ): Promise<DebugRequests[C]['body']> {
    this.sent.push({ command, args });
    const answer = this.answers[command];
    const body: unknown = answer ? answer(args as never) : {};
    if (body instanceof Error) throw body;
    return body;
  }

  event(event: string, body?: unknown): void {
    this.#push({ type: 'event', event, body, seq: 0 } satisfies DebugProtocol.Event);
  }

  /** The stream fails, as after a lost connection. */
  lose(): void {
    this.#lose();
  }

  commands(): DebugRequestName[] {
    return this.sent.map(({ command }) => command);
  }

  lastOf<C extends DebugRequestName>(command: C): DebugRequests[C]['arguments'] | undefined {
    return this.sent.findLast((one) => one.command === command)?.args as DebugRequests[C]['arguments'] | undefined;
  }
}
