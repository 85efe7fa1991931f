import type { Json } from '#domain/text/json';
import type { Client } from '../../../../client/client.ts';
import type { DebugClient, DebugRequestName, SessionMessage, DebugRequests } from './debug-client.ts';

/** Debug sessions over the contract. */
export class ContractDebugClient implements DebugClient {
  readonly #client: Pick<Client, 'debug'>;

  constructor(client: Pick<Client, 'debug'>) {
    this.#client = client;
  }

  open(session: string | null, signal: AbortSignal): Promise<AsyncIterable<SessionMessage>> {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the events of the protocol, without their numbers
    return this.#client.debug.open(session === null ? {} : { session }, { signal }) as unknown as Promise<
      AsyncIterable<SessionMessage>
    >;
  }

  async send<C extends DebugRequestName>(
    session: string,
    command: C,
    args: DebugRequests[C]['arguments'],
  ): Promise<DebugRequests[C]['body']> {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- arguments of the protocol are JSON
    const given = args as unknown as Json;
    const { success, message, body } = await this.#client.debug.send({ session, command, arguments: given });
    if (!success) throw new Error(message ?? `The debugger rejected ${command}.`);
    return body ?? {};
  }
}
