import type { Command } from 'commander';
import { isUsable } from '#domain/tag/quality';
import type { TagValue } from '#domain/tag/tag';
import type { CommandContext } from './context.ts';
import { EXIT } from './exit-codes.ts';
import { jsonLine, table, valueCell } from './text.ts';

export interface ScopeOptions {
  diagram?: string;
  location?: string;
}

export function withScopes(command: Command): Command {
  return command
    .option('--diagram <name>', 'as this Diagram sees storage and script tags')
    .option('--location <name>', 'as this location (workcenter) sees them');
}

export const scopesOf = ({ diagram, location }: ScopeOptions) => ({
  diagram: diagram ?? null,
  location: location ?? null,
});

/** Prints values, and ends with 1 when one of them may not be used. */
export function printValues(context: CommandContext, values: TagValue[], asJson: boolean | undefined): void {
  if (asJson) context.io.out(jsonLine(values));
  else context.io.out(table(values.map(({ path, value, quality, type }) => [path, valueCell(value), type, quality])));
  if (!values.every(({ quality }) => isUsable(quality))) context.exit(EXIT.refused);
}
