import type { DebugProtocol } from '@vscode/debugprotocol';
import { isJsonObject, type Json, type JsonObject } from '#domain/text/json';
import type { RunReport } from '#domain/run/run';
import type { InstanceClient } from '../../../src-main/host/instance-client.ts';

type Event = { event: string; body: JsonObject };

/** A client of a debug session over the contract, as a window is. */
export class DebugClient {
  readonly session: string;
  readonly #client: InstanceClient;
  readonly #end = new AbortController();
  readonly #events: Event[] = [];
  #reading: Promise<void> = Promise.resolve();
  #isOver = false;
  #wake: () => void = () => undefined;
  #read = 0;

  private constructor(client: InstanceClient, session: string) {
    this.#client = client;
    this.session = session;
  }

  static async open(client: InstanceClient, session?: string): Promise<DebugClient> {
    const end = new AbortController();
    const stream = await client.debug.open({ ...(session !== undefined && { session }) }, { signal: end.signal });
    const first = await stream.next();
    if (first.done === true || first.value.type !== 'session') throw new Error('the stream did not begin as it should');
    const debug = new DebugClient(client, first.value.session);
    debug.#end.signal.addEventListener('abort', () => end.abort());
    debug.#reading = debug.#follow(stream);
    return debug;
  }

  async #follow(stream: AsyncIterable<{ type: string; event?: string; body?: Json }>): Promise<void> {
    for await (const { event = '', body } of stream) {
      this.#events.push({ event, body: isJsonObject(body) ? body : {} });
      this.#wake();
    }
    this.#isOver = true;
    this.#wake();
  }

  /** The window closes. */
  async leave(): Promise<void> {
    this.#end.abort();
    await this.#reading.catch(() => undefined);
  }

  send(command: string, given: JsonObject = {}) {
    return this.#client.debug.send({ session: this.session, command, arguments: given });
  }

  /** The body of a response; throws if the request was refused. */
  async ok(command: string, given: object = {}): Promise<JsonObject> {
    const { success, message, body } = await this.#client.debug.send({
      session: this.session,
      command,
      arguments: JSON.parse(JSON.stringify(given)),
    });
    if (!success) throw new Error(`${command}: ${message}`);
    return isJsonObject(body) ? body : {};
  }

  launch(given: object): Promise<JsonObject> {
    return this.ok('launch', given);
  }

  async breakpoints(path: string, breakpoints: DebugProtocol.SourceBreakpoint[]): Promise<Json> {
    return (await this.ok('setBreakpoints', { source: { path }, breakpoints }))['breakpoints'] ?? null;
  }

  /** The body of the next event of this name that has not been read; throws if the session ends before. */
  async event(name: string): Promise<JsonObject> {
    for (;;) {
      while (this.#read < this.#events.length) {
        const { event, body } = this.#events[this.#read] as Event;
        this.#read += 1;
        if (event === name) return body;
        if (event === 'terminated') throw new Error(`it ended: ${JSON.stringify(this.#events.slice(-6))}`);
      }
      if (this.#isOver) throw new Error('the stream has ended');
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  stopped(): Promise<JsonObject> {
    return this.event('stopped');
  }

  async report(): Promise<RunReport> {
    return (await this.event('tagwright/report'))['report'] as unknown as RunReport;
  }

  /** Waits for a stop unless it is stopped; the innermost frame. */
  async place(): Promise<string> {
    while (!(await this.send('stackTrace')).success) await this.stopped();
    this.#read = Math.max(this.#read, this.#events.findLastIndex(({ event }) => event === 'stopped') + 1);
    const [frame] = await this.frames();
    return `${frame?.name}:${frame?.line}`;
  }

  async frames(): Promise<DebugProtocol.StackFrame[]> {
    const { stackFrames } = await this.ok('stackTrace', { threadId: 1 });
    return stackFrames as unknown as DebugProtocol.StackFrame[];
  }

  async scopes(
    frameId?: number,
  ): Promise<{ name: string; reference: number; names: Record<string, DebugProtocol.Variable> }[]> {
    const [frame] = await this.frames();
    const { scopes } = await this.ok('scopes', { frameId: frameId ?? frame?.id ?? 0 });
    const found = [];
    for (const { name, variablesReference } of scopes as unknown as DebugProtocol.Scope[]) {
      const variables = await this.list(variablesReference);
      found.push({ name, reference: variablesReference, names: Object.fromEntries(variables.map((v) => [v.name, v])) });
    }
    return found;
  }

  async variables(frameId?: number): Promise<Record<string, DebugProtocol.Variable>> {
    const scopes = await this.scopes(frameId);
    return Object.assign({}, ...scopes.toReversed().map(({ names }) => names)) as Record<
      string,
      DebugProtocol.Variable
    >;
  }

  async locals(): Promise<Record<string, string>> {
    const [first] = await this.scopes();
    return Object.fromEntries(Object.entries(first?.names ?? {}).map(([name, { value }]) => [name, value]));
  }

  async list(
    variablesReference: number,
    page: Omit<DebugProtocol.VariablesArguments, 'variablesReference'> = {},
  ): Promise<DebugProtocol.Variable[]> {
    const { variables } = await this.ok('variables', { variablesReference, ...page });
    return variables as unknown as DebugProtocol.Variable[];
  }

  async evaluate(expression: string, frameId?: number): Promise<string> {
    const { result } = await this.ok('evaluate', { expression, ...(frameId !== undefined && { frameId }) });
    return textOf(result);
  }

  /** What the run has written, with lines. */
  outputs(): string[] {
    return this.#events
      .filter(({ event }) => event === 'output')
      .map(({ body }) => `${textOf(body['line'])}: ${textOf(body['output']).trimEnd()}`);
  }
}

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null));
