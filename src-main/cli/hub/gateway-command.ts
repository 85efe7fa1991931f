import type { Command } from 'commander';
import type { ConsumerRight } from '../../storage/hub/hub-consumers.ts';
import { TagwrightError } from '../../platform/errors.ts';
import { productRoot } from '../../platform/files/paths.ts';
import { productVersion } from '../../platform/version.ts';
import { interruptible } from '../commands/run.ts';
import type { CommandContext, JsonOption } from '../context.ts';
import { withJson } from '../context.ts';
import { readBytes, usage, whole } from '../input.ts';
import { jsonLine } from '../text.ts';
import type { DatabaseOption } from './hub-option.ts';
import { addressOf, withDatabase, withHub } from './hub-option.ts';

interface GatewayCommandOptions extends DatabaseOption, JsonOption {
  port: string;
  address: string;
  hostName?: string[];
  tlsCert?: string;
  tlsKey?: string;
  behindProxy?: boolean;
  rate: string;
  metricsPort?: string;
  metricsAddress: string;
}

interface AddKeyOptions extends DatabaseOption, JsonOption {
  site?: string[];
  right: string;
}

const RIGHTS: readonly ConsumerRight[] = ['read', 'disable', 'delete'];

export function addGateway(program: Command, context: CommandContext): void {
  const gateway = withDatabase(program.command('gateway'))
    .summary('serves the events of all sites of a hub')
    .description(
      'Serves the events of the sites of a hub in PostgreSQL: /sites/SITE/api/events is the events API of a site, ' +
        '/api/events has the events of all sites. Every request needs a key. Runs until Ctrl+C or SIGTERM.',
    )
    .option('--port <n>', 'port; 0 picks a free one', '4880')
    .option('--address <address>', 'address to listen on', '127.0.0.1')
    .option('--host-name <name...>', 'names that clients may send as Host')
    .option('--tls-cert <file>', 'certificate in PEM, with its chain')
    .option('--tls-key <file>', 'its private key in PEM')
    .option('--behind-proxy', 'a proxy in front of it serves HTTPS')
    .option('--metrics-port <n>', 'serves metrics for Prometheus on this port, 0 for a free one')
    .option('--metrics-address <address>', 'address of the metrics', '127.0.0.1')
    .option('--rate <n>', 'requests of one key per second, on average', '1000');
  withJson(gateway).action((options: GatewayCommandOptions) => run(context, options));
  // Commander gives options that `gateway` also has to it, wherever they are.
  const keys = gateway.command('keys').description('Keys of the consumers of gateways.');
  withJson(
    withDatabase(keys.command('add <name>').description('Creates a key, and prints it once.'))
      .option('--site <site...>', 'only these sites (default: all)')
      .option('--right <rights>', 'rights, separated by commas: read, disable, delete', 'read,disable'),
  ).action((name: string, _options: unknown, own: Command) => addKey(context, name, own.optsWithGlobals()));
  withJson(withDatabase(keys.command('list').description('Lists the keys, without their secrets.'))).action(
    (_options: unknown, own: Command) => listKeys(context, own.optsWithGlobals()),
  );
  withDatabase(keys.command('revoke <name>').description('Revokes a key; its open streams end within seconds.')).action(
    (name: string, _options: unknown, own: Command) => revokeKey(context, name, own.optsWithGlobals()),
  );
}

async function run(context: CommandContext, options: GatewayCommandOptions): Promise<void> {
  const { tlsCert, tlsKey, behindProxy = false, metricsPort } = options;
  if ((tlsCert === undefined) !== (tlsKey === undefined)) throw usage('--tls-cert and --tls-key belong together.');
  if (behindProxy && tlsCert !== undefined) throw usage('Use either --tls-cert or --behind-proxy.');
  const certificate =
    tlsCert === undefined || tlsKey === undefined ? undefined : { cert: pem(tlsCert), key: pem(tlsKey) };
  const { startGateway } = await import('../../hub/gateway/gateway.ts');
  const gateway = await startGateway({
    url: addressOf(options),
    port: whole('--port', options.port, 0, 65_535),
    address: options.address,
    hostNames: options.hostName ?? [],
    certificate,
    behindProxy,
    metrics:
      metricsPort === undefined
        ? null
        : { port: whole('--metrics-port', metricsPort, 0, 65_535), address: options.metricsAddress },
    requestsPerSecond: whole('--rate', options.rate, 1, 1_000_000),
    version: productVersion(productRoot()),
    log: context.log,
  });
  try {
    const { url, metrics } = gateway;
    context.io.out(
      options.json
        ? jsonLine({ url, ...(metrics && { metrics }), pid: process.pid })
        : `Gateway ${url}/sites\n${metrics ? `Metrics ${metrics}\n` : ''}`,
    );
    await interruptible(
      context,
      'gateway',
      (signal) => new Promise<void>((stop) => signal.addEventListener('abort', () => stop())),
    );
  } finally {
    await gateway.close();
  }
}

const pem = (file: string): Buffer => readBytes(file, { bytes: 1_048_576, of: 'a file in PEM' });

async function addKey(context: CommandContext, name: string, options: AddKeyOptions): Promise<void> {
  const rights = options.right.split(',').map((right) => RIGHTS.find((one) => one === right.trim()));
  if (!rights.every((right) => right !== undefined)) throw usage(`--right has one or more of ${RIGHTS.join(', ')}.`);
  if (name.trim() === '' || name.length > 100 || /\p{Cc}/u.test(name)) {
    throw usage('The name of a consumer has 1 to 100 characters, and no control characters.');
  }
  const { newKey } = await import('../../hub/gateway/consumer-keys.ts');
  const { id, key, keyHash } = newKey();
  const sites = options.site ?? null;
  await withConsumers(options, async (consumers) => {
    const unknown = sites ? await consumers.unknownSites(sites) : [];
    if (unknown.length > 0) throw usage(`The hub has no site ${unknown.join(', ')}.`);
    if (!(await consumers.add({ id, name, sites, rights, keyHash }))) {
      throw new TagwrightError('CONFLICT', `There is a key "${name}" already. Revoked keys also keep their name.`);
    }
  });
  context.io.out(options.json ? jsonLine({ id, name, sites, rights, key }) : `${key}\n`);
  context.io.err('Store the key now: it is not shown again.\n');
}

async function listKeys({ io }: CommandContext, options: DatabaseOption & JsonOption): Promise<void> {
  const found = await withConsumers(options, (consumers) => consumers.list());
  if (options.json) return io.out(jsonLine(found));
  for (const { id, name, sites, rights, revokedAt } of found) {
    io.out(`${name}  ${id}  ${sites?.join(',') ?? 'all sites'}  ${rights.join(',')}${revokedAt ? '  revoked' : ''}\n`);
  }
}

async function revokeKey({ io }: CommandContext, name: string, options: DatabaseOption): Promise<void> {
  const isRevoked = await withConsumers(options, (consumers) => consumers.revoke(name));
  if (!isRevoked)
    throw new TagwrightError('NOT_FOUND', `There is no key "${name}". "tagwright gateway keys list" shows them.`);
  io.err(`Revoked ${name}.\n`);
}

async function withConsumers<Result>(
  options: DatabaseOption,
  work: (consumers: import('../../storage/hub/hub-consumers.ts').HubConsumers) => Promise<Result>,
): Promise<Result> {
  const { HubConsumers } = await import('../../storage/hub/hub-consumers.ts');
  return withHub(options, async (hub) => {
    await hub.check();
    return work(new HubConsumers(hub));
  });
}
