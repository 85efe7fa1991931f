import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type Server, type Socket } from 'node:net';
import { isJsonObject, type Json, type JsonObject } from '#domain/text/json';
import type { InstanceClient } from '../../host/instance-client.ts';
import { messageOf } from '../../platform/errors.ts';
import type { Io } from '../io.ts';
import { DapFrames, dapFrame } from './dap-frames.ts';

const LOOPBACK = '127.0.0.1';
const MOST_CONNECTIONS = 16;
/** Requests of one connection without a response. */
const MOST_PENDING = 200;
/** Bytes that a client has not read. */
const MOST_UNREAD = 64 * 1024 * 1024;

/**
 * Serves clients of the Debug Adapter Protocol on a free port of the loopback, until Ctrl+C. Prints its address as one
 * line of JSON. `launch` has the arguments that a client does not give.
 */
export async function serveDap(io: Io, client: InstanceClient, launch: JsonObject): Promise<void> {
  const token = randomBytes(24).toString('base64url');
  const capabilities = await capabilitiesOf(client);
  const connections = new Set<DapConnection>();
  const server = createServer((socket) => {
    if (connections.size >= MOST_CONNECTIONS) {
      socket.destroy();
      return;
    }
    const connection = new DapConnection(socket, client, { token, launch, capabilities });
    connections.add(connection);
    socket.on('close', () => connections.delete(connection));
  });
  const port = await listen(server);
  io.out(`${JSON.stringify({ host: LOOPBACK, port, token })}\n`);
  await new Promise<void>((resolve) => {
    const stop = io.onInterrupt(() => {
      stop();
      resolve();
    });
  });
  server.close();
  await Promise.all([...connections].map((connection) => connection.end()));
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, LOOPBACK, resolve);
  });
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** What the debugger can do, for `initialize`, which comes before the token. */
async function capabilitiesOf(client: InstanceClient): Promise<Json> {
  const end = new AbortController();
  const stream = await client.debug.open({}, { signal: end.signal });
  try {
    const first = await stream.next();
    const session = first.done !== true && first.value.type === 'session' ? first.value.session : '';
    return (await client.debug.send({ session, command: 'initialize', arguments: {} })).body ?? {};
  } finally {
    end.abort();
    await stream.return(undefined);
  }
}

interface ConnectionParts {
  token: string;
  launch: JsonObject;
  capabilities: Json;
}

/** A client of the Debug Adapter Protocol, with the session that it has launched or attached to. */
class DapConnection {
  readonly #socket: Socket;
  readonly #client: InstanceClient;
  readonly #parts: ConnectionParts;
  readonly #frames = new DapFrames();
  readonly #end = new AbortController();
  #session: string | null = null;
  #hasLaunched = false;
  #pending = 0;
  #seq = 0;
  /** One after another, until there is a session. */
  #opening: Promise<void> = Promise.resolve();

  constructor(socket: Socket, client: InstanceClient, parts: ConnectionParts) {
    this.#socket = socket;
    this.#client = client;
    this.#parts = parts;
    socket.on('data', (bytes) => this.#take(Buffer.from(bytes)));
    socket.on('error', () => socket.destroy());
    socket.on('close', () => void this.end());
  }

  /** The client has disconnected: the run that it launched ends. */
  async end(): Promise<void> {
    this.#socket.destroy();
    if (this.#end.signal.aborted) return;
    const session = this.#session;
    try {
      if (session !== null && this.#hasLaunched) {
        await this.#client.debug.send({ session, command: 'disconnect', arguments: { terminateDebuggee: true } });
      }
    } catch {
      // The session has ended already.
    } finally {
      this.#end.abort();
    }
  }

  #take(bytes: Buffer): void {
    try {
      for (const message of this.#frames.push(bytes)) this.#request(message);
    } catch {
      // No client of the protocol.
      this.#socket.destroy();
    }
  }

  #request({ type, seq, command, arguments: given }: JsonObject): void {
    if (type !== 'request' || typeof seq !== 'number' || typeof command !== 'string') {
      throw new Error('a message is not a request');
    }
    this.#pending += 1;
    if (this.#pending > MOST_PENDING) throw new Error('too many requests');
    const respond = (body: { success: boolean; message?: string; body?: Json }) => {
      this.#pending -= 1;
      this.#write({ type: 'response', request_seq: seq, command, ...body });
    };
    const respondTo = async () => {
      try {
        respond(await this.#respond(command, isJsonObject(given) ? given : {}));
      } catch (thrown) {
        respond({ success: false, message: messageOf(thrown) });
      }
    };
    if (this.#session !== null) {
      void respondTo();
      return;
    }
    this.#opening = this.#opening.then(respondTo);
  }

  async #respond(command: string, given: JsonObject): Promise<{ success: boolean; message?: string; body?: Json }> {
    if (command === 'initialize') return { success: true, body: this.#parts.capabilities };
    if (this.#session !== null) return this.#send(this.#session, command, given);
    if (command === 'disconnect') return { success: true };
    if (command !== 'launch' && command !== 'attach') {
      return { success: false, message: `"launch" or "attach" comes before "${command}".` };
    }
    const { token, session: wanted, ...others } = given;
    if (!isSame(token, this.#parts.token)) {
      // After the response.
      setImmediate(() => this.#socket.end());
      return { success: false, message: 'The token is missing or wrong. "tagwright debug --dap" has printed it.' };
    }
    if (command === 'attach' && typeof wanted !== 'string') {
      return { success: false, message: `attach: give the session, one of: ${await this.#sessions()}.` };
    }
    const session = await this.#open(command === 'attach' && typeof wanted === 'string' ? wanted : undefined);
    this.#hasLaunched = command === 'launch';
    const ownOf = 'body' in others || 'script' in others || 'scriptId' in others || 'testId' in others;
    return this.#send(session, command, ownOf ? others : { ...this.#parts.launch, ...others });
  }

  async #sessions(): Promise<string> {
    const sessions = await this.#client.debug.sessions();
    return sessions.map(({ session, name, state }) => `${session} (${name}, ${state})`).join(', ') || 'none are open';
  }

  async #send(session: string, command: string, given: JsonObject) {
    const response = await this.#client.debug.send({ session, command, arguments: given });
    if (command === 'disconnect') this.#hasLaunched = false;
    return response;
  }

  async #open(session: string | undefined): Promise<string> {
    const stream = await this.#client.debug.open(session === undefined ? {} : { session }, {
      signal: this.#end.signal,
    });
    const first = await stream.next();
    if (first.done === true || first.value.type !== 'session') throw new Error('the session has ended');
    this.#session = first.value.session;
    void this.#follow(stream);
    return this.#session;
  }

  async #follow(stream: AsyncIterable<{ type: string; event?: string; body?: Json }>): Promise<void> {
    try {
      for await (const message of stream) this.#write(message);
    } catch {
      // The connection to the instance is lost, or this one is closed.
    } finally {
      this.#socket.end();
    }
  }

  #write(message: object): void {
    if (this.#socket.destroyed) return;
    this.#seq += 1;
    this.#socket.write(dapFrame({ seq: this.#seq, ...message }));
    if (this.#socket.writableLength > MOST_UNREAD) this.#socket.destroy();
  }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
const isSame = (given: Json | undefined, token: string): boolean =>
  typeof given === 'string' && timingSafeEqual(digest(given), digest(token));
