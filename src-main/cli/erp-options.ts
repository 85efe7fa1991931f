import type { Command } from 'commander';

/** Which records a command means. */
export interface MeantOptions {
  tag?: string;
  text?: string;
  from?: string;
  to?: string;
}

export function withMeant(command: Command): Command {
  return command
    .option('--tag <path>', 'only records that were sent under this path')
    .option('--text <text>', 'only records that hold this text')
    .option('--from <time>', 'only records sent at this time or later, as 2026-08-01T06:00:00Z')
    .option('--to <time>', 'only records sent before this time');
}

export const meantOf = ({ tag, text, from, to }: MeantOptions) => ({
  ...(tag !== undefined && { tag }),
  ...(text !== undefined && { text }),
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
});
