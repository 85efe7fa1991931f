import type { Command } from 'commander';
import type { HubDatabase } from '../../storage/hub/hub-database.ts';
import { usage } from '../input.ts';

export interface DatabaseOption {
  database?: string;
}

/** The address of a hub, for commands that need no workspace. */
export const withDatabase = (command: Command): Command =>
  command.option(
    '--database <url>',
    'postgres://… of the hub (default: $TAGWRIGHT_HUB_URL, which process lists do not show)',
  );

/** @throws a usage error if none is given */
export function addressOf({ database }: DatabaseOption): string {
  const url = database ?? process.env['TAGWRIGHT_HUB_URL'] ?? '';
  if (url !== '') return url;
  throw usage('Name the hub with --database postgres://USER:PASSWORD@HOST:5432/DATABASE or in $TAGWRIGHT_HUB_URL.');
}

/** Opens the hub for the work, and closes it afterwards. */
export async function withHub<T>(options: DatabaseOption, work: (hub: HubDatabase) => Promise<T>): Promise<T> {
  const { HubDatabase: Hub } = await import('../../storage/hub/hub-database.ts');
  const hub = await Hub.open({ url: addressOf(options), connections: 1, name: 'tagwright hub' });
  try {
    return await work(hub);
  } finally {
    hub.abort();
  }
}
