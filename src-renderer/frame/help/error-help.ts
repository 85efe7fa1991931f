import type { Problem } from '../../client/errors.ts';
import type { Help } from './places.ts';

/** The page for errors with a code of their own; the others are explained on the page of the pane in use. */
const PAGES: Readonly<Partial<Record<Problem['code'], Help>>> = {
  WRITE_REFUSED: 'writes',
  WORKSPACE_LOCKED: 'unopened',
  WORKSPACE_NEWER: 'unopened',
  WORKSPACE_DAMAGED: 'unopened',
  WORKSPACE_READ_ONLY: 'unopened',
  STORAGE_FULL: 'troubleshooting',
  PORT_TAKEN: 'noEventsApi',
  UNAVAILABLE: 'troubleshooting',
  INTERNAL: 'askForHelp',
  CONNECTION_LOST: 'start',
};

export function helpForCode(code: Problem['code']): Help | null {
  return PAGES[code] ?? null;
}
