import type { Command } from 'commander';

export interface ScopeOptions {
  diagram?: string;
  location?: string;
}

export function withScopes(command: Command): Command {
  return command
    .option('--diagram <name>', 'use the scope of this Diagram for storage and script tags')
    .option('--location <name>', 'use the scope of this location (workcenter)');
}

export const scopesOf = ({ diagram, location }: ScopeOptions) => ({
  diagram: diagram ?? null,
  location: location ?? null,
});
