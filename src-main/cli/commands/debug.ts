import { resolve } from 'node:path';
import type { Command } from 'commander';
import { Option } from 'commander';
import type { JsonObject } from '#domain/text/json';
import { EXCEPTION_FILTERS, type ExceptionFilter } from '#domain/run/debug';
import type { CommandContext, WorkspaceOption } from '../context.ts';
import { inSession, withWorkspace } from '../context.ts';
import { serveDap } from '../debug/dap-server.ts';
import { COMMANDS_HELP, DebugTerminal } from '../debug/debug-terminal.ts';
import { EXIT } from '../exit-codes.ts';
import { parseJson, parseScriptName, readBody, usage } from '../input.ts';
import { runReportText } from '../run-report-text.ts';
import { printable } from '../../platform/report/printable.ts';

interface DebugOptions extends WorkspaceOption {
  script?: string;
  tagName?: string;
  diagram?: string;
  location?: string;
  tagValue?: string;
  dryRun?: boolean;
  break?: string[];
  exceptions: ExceptionFilter;
  dap?: boolean;
}

export function addDebug(program: Command, context: CommandContext): void {
  const command = program
    .command('debug')
    .summary('runs a script under the debugger')
    .description(
      'Runs the body of a script, from a file or saved in the library, and pauses at breakpoints and uncaught ' +
        'exceptions, or at the first statement. Commands come from standard input, one in a line; "h" lists them. ' +
        'Ctrl+C pauses the run. With --dap, a client of the Debug Adapter Protocol controls the run.',
    )
    .argument('[file]', 'file with the body of the script')
    .option('-s, --script <group/name>', 'debug the saved script with this name instead of a file')
    .option('-b, --break <line...>', 'lines to pause at (default: the first statement)')
    .addOption(
      new Option('--exceptions <which>', 'exceptions to pause on').choices(EXCEPTION_FILTERS).default('uncaught'),
    )
    .option('--tag-name <path>', 'tagName for the script')
    .option('--diagram <name>', 'tagScopeDiagram for the script')
    .option('--location <name>', 'tagScopeLocation for the script: the workcenter')
    .option('--tag-value <json>', 'tagValue: the value being written, as JSON')
    .option('--dry-run', 'run without saving anything')
    .option('--dap', 'listen for clients of the Debug Adapter Protocol, and print {"host","port","token"}');
  withWorkspace(command).action(async (file: string | undefined, options: DebugOptions) => {
    if ((file === undefined) === (options.script === undefined)) {
      throw usage('Use either a file or --script "Group/Name". See "tagwright debug --help" for examples.');
    }
    if (file === '-') throw usage('Commands come from standard input, so the script must be in a file.');
    if (options.script !== undefined) parseScriptName(options.script);
    const lines = (options.break ?? []).map(lineOf);
    const read = file === undefined ? null : await readBody(context.io, file);
    const launch: JsonObject = {
      ...(read !== null && file !== undefined && { body: read, source: { path: resolve(file), name: file } }),
      ...(options.script !== undefined && { script: options.script }),
      context: contextOf(options),
      dryRun: options.dryRun ?? false,
    };
    await inSession(context, { ...options, runsScripts: true }, async (client) => {
      if (options.dap === true) {
        await serveDap(context.io, client, launch);
        return;
      }
      const terminal = new DebugTerminal(context.io, client, lines);
      const report = await terminal.run(
        { ...launch, stopOnEntry: lines.length === 0 },
        options.exceptions === 'none' ? [] : [options.exceptions],
      );
      if (report === null) return;
      context.io.out(runReportText(report, { name: file ?? options.script ?? '', body: terminal.body }, context.io));
      if (report.status !== 'ok') context.exit(EXIT.refused);
    });
  });
  command.addHelpText(
    'after',
    `
Commands while the run is paused:
${COMMANDS_HELP}
Examples:
  tagwright debug fill-level.js --tag-name Bottling.Line1.Filler.TankLevel.Value
  tagwright debug --script "Line 1/OEE of the shift" --break 19 --dry-run
  tagwright debug fill-level.js --dap`,
  );
}

function contextOf({ tagName = '', diagram, location, tagValue }: DebugOptions): JsonObject {
  return {
    tagName,
    tagScopeDiagram: diagram ?? null,
    tagScopeLocation: location ?? null,
    ...(tagValue !== undefined && { tagValue: parseJson(tagValue, '--tag-value') }),
  };
}

function lineOf(text: string): number {
  const line = Number(text);
  if (Number.isInteger(line) && line > 0) return line;
  throw usage(`--break: "${printable(text)}" is not the number of a line.`);
}
