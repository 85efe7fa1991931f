import type { Command } from 'commander';
import type { HubStatus } from '#domain/event/hub';
import type { CommandContext, JsonOption, WorkspaceOption } from '../context.ts';
import { inSession, withJson, withWorkspace } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { usage } from '../input.ts';
import type { DatabaseOption } from './hub-option.ts';
import { addressOf, withDatabase, withHub } from './hub-option.ts';
import { cell, counted, jsonLine, listedMoment, table, wholeCell } from '../text.ts';

/** The command group `hub`. */
export function addHub(program: Command, context: CommandContext): void {
  const hub = program
    .command('hub')
    .description('Creates a hub in PostgreSQL, adds sites to it, and shows the mirror of this workspace.');
  for (const add of [addHubInit, addHubSites, addHubStatus, addHubRejoin, addHubRetain]) add(hub, context);
}

function addHubInit(hub: Command, context: CommandContext): void {
  const command = hub
    .command('init')
    .description('Creates the schema of a hub, or updates it. The role must be allowed to create roles.');
  withJson(withDatabase(command)).action(async (options: DatabaseOption & JsonOption) => {
    const applied = await withHub(options, (database) => database.migrate());
    if (options.json) return context.io.out(jsonLine({ applied }));
    context.io.out(applied.length === 0 ? 'The hub is up to date.\n' : `Applied: ${applied.join(', ')}\n`);
  });
}

function addHubSites(hub: Command, context: CommandContext): void {
  const sites = hub.command('sites').description('Adds, lists and removes the sites of a hub.');
  const add = sites
    .command('add')
    .description('Adds a site, and prints the address for its setting hub.url. It is not shown again.')
    .argument('<name>', 'lower-case letters, digits and hyphens');
  withJson(withDatabase(add)).action(async (site: string, options: DatabaseOption & JsonOption) => {
    const { addSite } = await import('../../storage/hub/hub-sites.ts');
    const url = await withHub(options, (database) => addSite(database, addressOf(options), site));
    context.io.out(options.json ? jsonLine({ site, url }) : `hub.site=${site}\nhub.url=${url}\n`);
  });
  const list = sites.command('list').description('Lists the sites with the age of their data.');
  withJson(withDatabase(list)).action(async (options: DatabaseOption & JsonOption) => {
    const { listSites } = await import('../../storage/hub/hub-sites.ts');
    const listed = await withHub(options, listSites);
    if (options.json) return context.io.out(jsonLine(listed));
    const rows = listed.map(({ site, mirroredAt, lagSeconds, events, wanted, version }) => [
      site,
      mirroredAt === null ? '' : listedMoment(mirroredAt),
      lagSeconds === null ? '' : `${lagSeconds} s`,
      String(events),
      String(wanted),
      cell(version ?? ''),
    ]);
    const head = ['SITE', 'MIRRORED (UTC)', 'LAG', 'EVENTS', 'PENDING', 'VERSION'];
    if (rows.length > 0) context.io.out(table([head, ...rows]));
    context.io.err(`${counted(rows.length, 'site')}\n`);
  });
  const remove = sites
    .command('remove')
    .description('Deletes a site from the hub with its role, events and rows. The site itself keeps everything.')
    .argument('<name>', 'the site')
    .option('--yes', 'delete it');
  withJson(withDatabase(remove)).action(
    async (site: string, options: DatabaseOption & JsonOption & { yes?: boolean }) => {
      if (options.yes !== true) throw usage(`Add --yes to delete "${cell(site)}" from the hub.`);
      const { removeSite } = await import('../../storage/hub/hub-sites.ts');
      await withHub(options, (database) => removeSite(database, site));
      context.io.out(options.json ? jsonLine({ site }) : `Removed ${site}\n`);
    },
  );
}

function addHubStatus(hub: Command, context: CommandContext): void {
  const command = hub
    .command('status')
    .description('Shows the mirror of this workspace. Exits with 1 if it has a problem.');
  withJson(withWorkspace(command)).action(async (options: WorkspaceOption & JsonOption) => {
    const status = await inSession(context, options, (client) => client.hub.status());
    if (status.problem !== null) context.exit(EXIT.refused);
    context.io.out(options.json ? jsonLine(status) : textOf(status));
  });
}

function textOf(status: HubStatus): string {
  const { state, site, url, seq, listed, waiting, mirroredAt, applied, problem } = status;
  const rows = [
    ['State', state],
    ['Site', site],
    ['Hub', cell(url)],
    ...(listed === null ? [] : [['Listed', `up to event ${listed}`]]),
    ...(seq === null ? [] : [['Changes', `${seq} mirrored, ${waiting ?? 0} waiting`]]),
    ...(mirroredAt === null ? [] : [['Mirrored', `${listedMoment(mirroredAt)} UTC`]]),
    ...(applied === 0 ? [] : [['Applied', `${counted(applied, 'change')} of gateways`]]),
    ...(problem === null ? [] : [['Problem', wholeCell(problem)]]),
  ];
  return table(rows);
}

function addHubRejoin(hub: Command, context: CommandContext): void {
  const command = hub
    .command('rejoin')
    .description(
      'Makes this workspace the valid one of its site, after a restore: the hub gets its events and rows again.',
    );
  withJson(withWorkspace(command)).action(async (options: WorkspaceOption & JsonOption) => {
    const status = await inSession(context, options, async (client) => {
      await client.hub.rejoin();
      return client.hub.status();
    });
    context.io.out(options.json ? jsonLine(status) : `The hub gets the state of this workspace as ${status.site}.\n`);
  });
}

function addHubRetain(hub: Command, context: CommandContext): void {
  const command = hub
    .command('retain')
    .description('Deletes old changes in feeds, old records of changes, and old rows without an event.')
    .requiredOption('--days <days>', 'age in days');
  withJson(withDatabase(command)).action(async (options: DatabaseOption & JsonOption & { days: string }) => {
    const days = Number(options.days);
    if (!Number.isInteger(days) || days < 1 || days > 36_500)
      throw usage('--days must be a whole number from 1 to 36500.');
    const { retain } = await import('../../storage/hub/hub-sites.ts');
    const deleted = await withHub(options, (database) => retain(database, days));
    if (options.json) return context.io.out(jsonLine(deleted));
    const { changes, audit, rows } = deleted;
    context.io.out(
      `Deleted ${counted(changes, 'change')}, ${counted(audit, 'record')} of changes, ${counted(rows, 'row')}\n`,
    );
  });
}
