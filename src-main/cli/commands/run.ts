import type { Command } from 'commander';
import type { RunContext, RunReport } from '#domain/run/run';
import { contextOf, namedContext, readValue } from '#domain/run/saved-context';
import { TagwrightError } from '../../platform/errors.ts';
import type { InstanceClient } from '../../host/instance-client.ts';
import type { CommandContext, JsonOption, WorkspaceOption } from '../context.ts';
import { inSession, withJson, withWorkspace } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { parseJson, parseScriptName, readBody, usage } from '../input.ts';
import { runReportText } from './run-report-text.ts';
import { jsonLine } from '../text.ts';

interface RunOptions extends WorkspaceOption, JsonOption {
  script?: string;
  context?: string;
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
      'Runs the body of a script, from a file, from standard input (-) or saved in the library, and reports its result, ' +
        'its console and its reads and writes. Ctrl+C cancels the run; its report is still printed.',
    )
    .argument('[file]', 'file with the body of the script, or - for standard input')
    .option('-s, --script <group/name>', 'run the saved script with this name instead of a file')
    .option('--context <name>', 'with --script: the saved context with this name; other options replace its members')
    .option('--tag-name <path>', 'tagName for the script')
    .option('--diagram <name>', 'tagScopeDiagram for the script')
    .option('--location <name>', 'tagScopeLocation for the script: the workcenter')
    .option('--tag-value <json>', 'tagValue: the value being written, as JSON')
    .option('--dry-run', 'run without saving anything');
  withJson(withWorkspace(command)).action(async (file: string | undefined, options: RunOptions) => {
    if ((file === undefined) === (options.script === undefined)) {
      throw usage('Use either a file (or -) or --script "Group/Name". See "tagwright run --help" for examples.');
    }
    if (options.context !== undefined && options.script === undefined) {
      throw usage('--context names a saved context of a script: use it with --script "Group/Name".');
    }
    // The arguments are checked before anything is opened.
    const saved = options.script === undefined ? null : parseScriptName(options.script);
    const tagValue = options.tagValue === undefined ? {} : { tagValue: parseJson(options.tagValue, '--tag-value') };
    const read = file === undefined ? null : await readSource(context, file);
    await inSession(context, { ...options, runsScripts: true }, async (client) => {
      const source = read ?? (await savedSource(client, saved));
      const report = await execute(context, client, source.body, options.dryRun ?? false, {
        ...(await savedContext(client, saved, options.context)),
        ...(options.tagName !== undefined && { tagName: options.tagName }),
        ...(options.diagram !== undefined && { tagScopeDiagram: options.diagram }),
        ...(options.location !== undefined && { tagScopeLocation: options.location }),
        ...tagValue,
      });
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
  tagwright run --script "Line 1/Start an order" --context "Order 4720" --dry-run
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

/** The context of a run: the saved one with that name, or an empty one. */
async function savedContext(
  client: InstanceClient,
  script: { group: string; name: string } | null,
  wanted: string | undefined,
): Promise<RunContext> {
  if (script === null || wanted === undefined) return { tagName: '', tagScopeDiagram: null, tagScopeLocation: null };
  const { named } = await client.runContexts.get({ id: (await client.scripts.get(script)).id });
  const form = namedContext(named, wanted);
  if (!form) {
    const names = named.map(({ name }) => `"${name}"`).join(', ');
    const there = names === '' ? 'It has none; save one in the workbench' : `Saved contexts: ${names}`;
    throw new TagwrightError(
      'NOT_FOUND',
      `The script "${script.group}/${script.name}" has no context named "${wanted}". ${there}.`,
    );
  }
  const context = contextOf(form);
  if (context) return context;
  const value = readValue(form);
  const problem = value.kind === 'problem' ? value.message : '';
  const message = `The tagValue of the context "${form.name}" is invalid: ${problem}. Change it in the workbench.`;
  throw new TagwrightError('BAD_REQUEST', message);
}

async function execute(
  { io }: CommandContext,
  client: InstanceClient,
  body: string,
  dryRun: boolean,
  runContext: RunContext,
): Promise<RunReport> {
  const key = crypto.randomUUID();
  const stop = io.onInterrupt(() => {
    io.err('Cancelling the run…\n');
    client.runs.cancel({ key }).catch(() => {
      // The connection ended with the run; execute reports that.
    });
  });
  try {
    return await client.runs.execute({ body, context: runContext, dryRun, key });
  } finally {
    stop();
  }
}
