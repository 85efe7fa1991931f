import type { Command } from 'commander';
import type { Json } from '#domain/text/json';
import type { RunReport } from '#domain/run/run';
import type { InstanceClient } from '../../host/instance-client.ts';
import type { CommandContext, JsonOption, WorkspaceOption } from '../context.ts';
import { inSession, withJson, withWorkspace } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { parseJson, parseScriptName, readBody, usage } from '../input.ts';
import { runReportText } from './run-report-text.ts';
import { jsonLine } from '../text.ts';

interface RunOptions extends WorkspaceOption, JsonOption {
  script?: string;
  tagName?: string;
  diagram?: string;
  location?: string;
  tagValue?: string;
  dryRun?: boolean;
}

interface BodySource {
  /** The name of the source in places of errors. */
  name: string;
  body: string;
}

export function addRun(program: Command, context: CommandContext): void {
  const command = program
    .command('run')
    .summary('runs a script and prints its report')
    .description(
      'Runs the body of a script, from a file, from standard input (-) or saved in the library, and reports its result,\n' +
        'its console and its reads and writes. Ctrl+C cancels the run; its report is still printed.',
    )
    .argument('[file]', 'file with the body of the script, or - for standard input')
    .option('-s, --script <group/name>', 'run the saved script with this name instead of a file')
    .option('--tag-name <path>', 'tagName for the script', '')
    .option('--diagram <name>', 'tagScopeDiagram for the script')
    .option('--location <name>', 'tagScopeLocation for the script: the workcenter')
    .option('--tag-value <json>', 'tagValue: the value being written, as JSON')
    .option('--dry-run', 'run without saving anything');
  withJson(withWorkspace(command)).action(async (file: string | undefined, options: RunOptions) => {
    if ((file === undefined) === (options.script === undefined)) {
      throw usage('Use either a file (or -) or --script "Group/Name". See "tagwright run --help" for examples.');
    }
    // The arguments are checked before anything is opened.
    const saved = options.script === undefined ? null : parseScriptName(options.script);
    const tagValue = options.tagValue === undefined ? {} : { tagValue: parseJson(options.tagValue, '--tag-value') };
    const read = file === undefined ? null : await readSource(context, file);
    await inSession(context, options, async (client) => {
      const source = read ?? (await savedSource(client, saved));
      const report = await execute(context, client, source.body, options, tagValue);
      context.io.out(options.json ? jsonLine(report) : runReportText(report, source, context.io));
      if (report.status !== 'ok') context.exit(EXIT.refused);
    });
  });
  command.addHelpText(
    'after',
    `
Examples:
  tagwright run fill-level.js --tag-name Bottling.Line1.Filler.TankLevel.Value
  echo 'return 1 + 1' | tagwright run -
  tagwright run --script "Line 1/OEE of the shift" --dry-run --json
  tagwright run store.js --tag-value '{"batch": 12}'`,
  );
}

async function readSource({ io }: CommandContext, file: string): Promise<BodySource> {
  const body = await readBody(io, file);
  return { name: file === '-' ? 'stdin' : file, body };
}

async function savedSource(client: InstanceClient, name: { group: string; name: string } | null): Promise<BodySource> {
  if (!name) throw usage('No script was named.');
  const script = await client.scripts.get(name);
  return { name: `${script.group}/${script.name}`, body: script.body };
}

async function execute(
  { io }: CommandContext,
  client: InstanceClient,
  body: string,
  options: RunOptions,
  tagValue: { tagValue?: Json },
): Promise<RunReport> {
  const key = crypto.randomUUID();
  const stop = io.onInterrupt(() => {
    io.err('Cancelling the run…\n');
    client.runs.cancel({ key }).catch(() => {
      // The connection ended with the run; execute reports that.
    });
  });
  try {
    return await client.runs.execute({
      body,
      context: {
        tagName: options.tagName ?? '',
        tagScopeDiagram: options.diagram ?? null,
        tagScopeLocation: options.location ?? null,
        ...tagValue,
      },
      dryRun: options.dryRun ?? false,
      key,
    });
  } finally {
    stop();
  }
}
