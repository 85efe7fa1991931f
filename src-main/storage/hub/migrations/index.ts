import type { Migration } from '../../migrations/index.ts';
import { hub } from './001-hub.ts';
import { feedStart } from './002-feed-start.ts';

/** The steps of the schema `tagwright` of a hub; its table `schema_steps` names the applied ones. */
export const HUB_MIGRATIONS: readonly Migration[] = [
  { name: 'hub', sql: hub },
  { name: 'feed start', sql: feedStart },
];
