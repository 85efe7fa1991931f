import type { Command } from 'commander';
import type { Consumer, FaultKind } from '#domain/event/consumer';
import { FAULT_KINDS, FAULT_LIMITS } from '#domain/event/consumer';
import { durationText } from '#domain/text/duration';
import { grouped } from '#domain/text/grouped';
import type { CommandContext, JsonOption, WorkspaceOption } from '../context.ts';
import { inSession, withJson, withWorkspace } from '../context.ts';
import { usage, whole } from '../input.ts';
import { printable } from '../../platform/report/printable.ts';
import { cell, counted, jsonLine, listedMoment, table } from '../text.ts';
import { addCheck } from './check-command.ts';

/** The command group `consumers`. */
export function addConsumers(program: Command, context: CommandContext): void {
  const consumers = program
    .command('consumers')
    .description(
      'Lists the consumers of the events API, injects faults into its responses for one of them, and checks one.',
    );
  for (const add of [addList, addInject, addEnd, addCheck]) add(consumers, context);
}

function addList(consumers: Command, context: CommandContext): void {
  const command = consumers
    .command('list')
    .description('Lists the consumers of the running instance, the last one that was active first.');
  withJson(withWorkspace(command)).action(async (options: WorkspaceOption & JsonOption) => {
    const listed = await inSession(context, options, (client) => client.consumers.list());
    if (options.json) return context.io.out(jsonLine(listed));
    context.io.out(table(listed.map((consumer) => [cell(consumer.name), ...columnsOf(consumer)])));
    context.io.err(`${counted(listed.length, 'consumer')}\n`);
  });
}

function columnsOf(consumer: Consumer): string[] {
  const { lastPollAt, intervalMs, streams, unacknowledged, errors, readOnlyAttempts, faults } = consumer;
  return [
    lastPollAt === null ? 'no poll' : `polled ${listedMoment(lastPollAt)}`,
    streams > 0
      ? counted(streams, 'stream')
      : intervalMs === null
        ? ''
        : `every ${durationText(Math.max(100, Math.round(intervalMs / 100) * 100))}`,
    unacknowledged === null ? '' : unacknowledgedText(unacknowledged),
    counted(errors, 'error'),
    readOnlyAttempts === 0 ? '' : counted(readOnlyAttempts, 'read-only attempt'),
    faults === null ? '' : `faults: ${faults.faults.join(', ')}`,
  ];
}

function unacknowledgedText({ count, sentAt }: NonNullable<Consumer['unacknowledged']>): string {
  return count === 0 ? 'nothing open' : `${grouped(count)} open since ${listedMoment(sentAt)}`;
}

interface InjectOptions extends WorkspaceOption, JsonOption {
  faults: string;
  share: string;
  latency: string;
  seed: string;
  requests?: string;
  seconds: string;
}

function addInject(consumers: Command, context: CommandContext): void {
  const command = consumers
    .command('inject')
    .argument('<name>', 'name of the consumer, as the list shows it; its program, if no other has it')
    .description('Injects faults into the responses for a consumer. They end by themselves.')
    .requiredOption('--faults <kinds>', `one or more of ${FAULT_KINDS.join(', ')}, separated by commas`)
    .option('--share <percent>', 'percentage of its requests that get one', '100')
    .option('--latency <ms>', 'delay of latency; jitter delays at random, up to this time', '1000')
    .option('--seed <number>', 'decides which requests get which fault', '1')
    .option('--requests <count>', 'end after this many faults')
    .option('--seconds <count>', 'end after this time', '60');
  withJson(withWorkspace(command)).action(async (name: string, options: InjectOptions) => {
    const plan = {
      faults: kindsOf(options.faults),
      share: whole('--share', options.share, 1, 100) / 100,
      latencyMs: whole('--latency', options.latency, 0, FAULT_LIMITS.latencyMs),
      seed: whole('--seed', options.seed, 0, 2 ** 31),
      requests: options.requests === undefined ? null : whole('--requests', options.requests, 1, FAULT_LIMITS.requests),
      seconds: whole('--seconds', options.seconds, 1, FAULT_LIMITS.seconds),
    };
    await inSession(context, options, (client) => client.consumers.inject({ consumer: name, ...plan }));
    context.io.out(
      options.json
        ? jsonLine({ consumer: name, ...plan })
        : `Injecting ${plan.faults.join(', ')} for ${printable(name)}, at most ${plan.seconds} s\n`,
    );
  });
}

function addEnd(consumers: Command, context: CommandContext): void {
  const command = consumers
    .command('end')
    .argument('[name]', 'name or program; without it, all consumers')
    .description('Ends the injected faults of a consumer, or of all consumers.');
  withJson(withWorkspace(command)).action(
    async (consumer: string | undefined, options: WorkspaceOption & JsonOption) => {
      const { ended } = await inSession(context, options, (client) => client.consumers.endFaults({ consumer }));
      context.io.out(options.json ? jsonLine({ ended }) : `Faults of ${counted(ended, 'consumer')} ended\n`);
    },
  );
}

function kindsOf(text: string): FaultKind[] {
  return text.split(',').map((given) => {
    const kind = FAULT_KINDS.find((one) => one === given.trim());
    if (!kind)
      throw usage(`--faults has "${given}". Use one or more of ${FAULT_KINDS.join(', ')}, separated by commas.`);
    return kind;
  });
}
