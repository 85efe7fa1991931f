import type { IncomingMessage } from 'node:http';
import { consumerName } from '#domain/event/consumer';
import type { Clock } from '../../../platform/clock.ts';
import { programOf } from '../consumers/consumer-log.ts';
import type { Fault, FaultTarget } from '../faults/fault-plans.ts';
import { FaultPlans } from '../faults/fault-plans.ts';

const MOST_NAMES = 20;

/** The requests of the consumer under test. */
export class ClientMatch {
  readonly #wanted: string | null;
  /** The names of consumers, as in their list. */
  readonly matched = new Set<string>();
  readonly others = new Set<string>();

  /**
   * @param wanted a name as in the list of consumers, a User-Agent, its first part such as `my-erp` of `my-erp/1.0`, or an
   *   address; null: every request
   */
  constructor(wanted: string | null) {
    this.#wanted = wanted;
  }

  /** Whether the request is one of the consumer. */
  matches(request: IncomingMessage): boolean {
    const [program, address] = [programOf(request), request.socket.remoteAddress ?? ''];
    const name = consumerName(program, address);
    const isClient = this.#isWanted(name, program, address);
    const names = isClient ? this.matched : this.others;
    if (names.size < MOST_NAMES) names.add(name);
    return isClient;
  }

  #isWanted(name: string, program: string, address: string): boolean {
    const wanted = this.#wanted?.toLowerCase();
    if (wanted === undefined || wanted === address) return true;
    const sent = program.toLowerCase();
    return name.toLowerCase() === wanted || sent === wanted || /^[^/\s]*/.exec(sent)?.[0] === wanted;
  }
}

/** The name of the plan for all requests of the consumer, whatever User-Agent they have. */
export const CLIENT = 'client';

/** Faults for every request of the consumer under test, and for no other request. */
export class ClientFaults extends FaultPlans {
  readonly #match: ClientMatch;

  constructor(clock: Clock, match: ClientMatch) {
    super(clock);
    this.#match = match;
  }

  override next(consumer: string, target: FaultTarget): Fault | null {
    return this.#match.matched.has(consumer) ? super.next(CLIENT, target) : null;
  }

  override takeRestart(consumer: string): boolean {
    return this.#match.matched.has(consumer) && super.takeRestart(CLIENT);
  }
}
