import type { Command } from 'commander';
import type { RunContext, RunReport } from '#domain/run/run';
import { contextOf, namedContext, readValue } from '#domain/run/saved-context';
import { TagwrightError } from '../../platform/errors.ts';
import type { InstanceClient } from '../../host/instance-client.ts';
import type { CommandContext, JsonOption, WorkspaceOption } from '../context.ts';
import { inSession, withJson, withWorkspace } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { parseJson, parseScriptName, readBody, readCapsuleFile, receivedCapsule, usage } from '../input.ts';
import { checkTarget, saveFile } from '../output.ts';
import { replayText } from '../replay-text.ts';
import { runReportText } from '../run-report-text.ts';
import { printable } from '../../platform/report/printable.ts';
import { jsonLine } from '../text.ts';
import { valuesText } from '../values-text.ts';

/** Options that name a script and its context. */
export interface SourceOptions extends WorkspaceOption, JsonOption {
  script?: string;
  context?: string;
  tagName?: string;
  diagram?: string;
  location?: string;
  tagValue?: string;
}

interface RunOptions extends SourceOptions {
  dryRun?: boolean;
  capsule?: string;
  values?: boolean;
}

interface BodySource {
  /** The name of the source in places of errors. */
  name: string;
  body: string;
  /** The version of a saved script. */
  version?: number;
}

export function addRun(program: Command, context: CommandContext): void {
  const command = withSource(
    program
      .command('run')
      .summary('runs a script and prints its report')
      .description(
        'Runs the body of a script, from a file, from standard input (-) or saved in the library, and reports its result, ' +
          'its console and its reads and writes. Ctrl+C cancels the run; its report is still printed.',
      ),
  )
    .option('--dry-run', 'run without saving anything')
    .option('--values', 'also show what each variable became, and which statements and branches did not run')
    .option('--capsule <file>', 'also record the run as a capsule, which "tagwright replay" runs on any machine');
  withJson(withWorkspace(command)).action(async (file: string | undefined, options: RunOptions) => {
    const source = await sourceOf(context, file, options, 'run');
    if (options.capsule === '-') throw usage('--capsule needs a file: standard output has the report.');
    if (options.values && options.capsule !== undefined) throw usage('Use either --values or --capsule, not both.');
    if (options.capsule !== undefined) await checkTarget(options.capsule);
    await inSession(context, { ...options, runsScripts: true }, async (client) => {
      const { script, context: runContext } = await source(client);
      const run = { body: script.body, context: runContext, dryRun: options.dryRun ?? false };
      if (options.values) {
        const shown = await cancellable(context, client, (key) => client.debug.values({ ...run, key }));
        const { report, ...values } = shown;
        const text = () => runReportText(report, script, context.io) + valuesText(shown, script.body);
        context.io.out(options.json ? jsonLine({ ...report, ...values }) : text());
        if (report.status !== 'ok') context.exit(EXIT.refused);
        return;
      }
      const report =
        options.capsule === undefined
          ? await cancellable(context, client, (key) => client.runs.execute({ ...run, ...scriptOf(script), key }))
          : await record(context, client, { ...run, ...scriptOf(script) }, options.capsule);
      context.io.out(options.json ? jsonLine(report) : runReportText(report, script, context.io));
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
  tagwright run store.js --tag-value '{"batch": 12}'
  tagwright run store.js --dry-run --values
  tagwright run store.js --dry-run --capsule store.capsule.json`,
  );
}

/** Adds the argument and the options that name a script and its context. */
export const withSource = (command: Command): Command =>
  command
    .argument('[file]', 'file with the body of the script, or - for standard input')
    .option('-s, --script <group/name>', 'run the saved script with this name instead of a file')
    .option('--context <name>', 'with --script: the saved context with this name; other options replace its members')
    .option('--tag-name <path>', 'tagName for the script')
    .option('--diagram <name>', 'tagScopeDiagram for the script')
    .option('--location <name>', 'tagScopeLocation for the script: the workcenter')
    .option('--tag-value <json>', 'tagValue: the value being written, as JSON');

/**
 * Checks the options that name a script, and reads its file, before anything is opened. The returned function adds what the
 * workspace knows.
 */
export async function sourceOf(
  { io }: CommandContext,
  file: string | undefined,
  { script, context, tagName, diagram, location, tagValue: valueText }: SourceOptions,
  command: string,
): Promise<(client: InstanceClient) => Promise<{ script: BodySource; context: RunContext }>> {
  if ((file === undefined) === (script === undefined)) {
    throw usage(`Use either a file (or -) or --script "Group/Name". See "tagwright ${command} --help" for examples.`);
  }
  if (context !== undefined && script === undefined) {
    throw usage('--context names a saved context of a script: use it with --script "Group/Name".');
  }
  const saved = script === undefined ? null : parseScriptName(script);
  const tagValue = valueText === undefined ? {} : { tagValue: parseJson(valueText, '--tag-value') };
  const read = file === undefined ? null : await readSource(io, file);
  return async (client) => ({
    script: read ?? (await savedSource(client, saved)),
    context: {
      ...(await savedContext(client, saved, context)),
      ...(tagName !== undefined && { tagName }),
      ...(diagram !== undefined && { tagScopeDiagram: diagram }),
      ...(location !== undefined && { tagScopeLocation: location }),
      ...tagValue,
    },
  });
}

async function readSource(io: Io, file: string): Promise<BodySource> {
  const body = await readBody(io, file);
  return { name: file === '-' ? 'stdin' : file, body };
}

async function savedSource(client: InstanceClient, name: { group: string; name: string } | null): Promise<BodySource> {
  if (!name) throw usage('No script was named.');
  const script = await client.scripts.get(name);
  return { name: `${script.group}/${script.name}`, body: script.body, version: script.version };
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

/** Ctrl+C cancels the run, whose report is still returned. */
export async function cancellable<T>(
  { io }: CommandContext,
  client: InstanceClient,
  run: (key: string) => Promise<T>,
): Promise<T> {
  const key = crypto.randomUUID();
  const stop = io.onInterrupt(() => {
    io.err('Cancelling the run…\n');
    client.runs.cancel({ key }).catch(() => {
      // The connection ended with the run; execute reports that.
    });
  });
  try {
    return await run(key);
  } finally {
    stop();
  }
}

/** The saved script of a recorded run; nothing for a file. */
export const scriptOf = ({ name, version }: BodySource) => (version === undefined ? {} : { script: { name, version } });

/** Runs a body, and writes its capsule. The exit code is 1 if there is none: the run itself was made. */
async function record(
  context: CommandContext,
  client: InstanceClient,
  run: Omit<Parameters<InstanceClient['capsules']['record']>[0], 'key'>,
  file: string,
): Promise<RunReport> {
  const { report, capsule, problem } = await cancellable(context, client, (key) =>
    client.capsules.record({ ...run, gzip: true, key }),
  );
  if (capsule === null) {
    context.io.err(`The run was made, but not recorded: ${printable(problem ?? 'it has no capsule')}.\n`);
    context.exit(EXIT.refused);
    return report;
  }
  await saveFile(file, receivedCapsule(capsule).toString(), { onlyOwner: true });
  context.io.err(`Recorded in ${printable(file)}\n`);
  return report;
}

interface ReplayOptions extends JsonOption {
  script?: string;
}

export function addReplay(program: Command, context: CommandContext): void {
  const command = program
    .command('replay')
    .summary('runs a recorded run again, from its capsule')
    .description(
      'Runs the body of a capsule, written by "tagwright run --capsule", in the sandbox: without a workspace, network or clock, ' +
        'every call is answered from the capsule. Prints the report and the differences from the recorded run. Exits with ' +
        '1 if the run fails or makes a call that the capsule does not contain, and with 2 if the capsule cannot be read.',
    )
    .argument('<file>', 'the capsule, or - for standard input')
    .option('-s, --script <file>', 'run this body instead of the recorded one, and show the differences');
  withJson(command).action(async (file: string, { script, json }: ReplayOptions) => {
    if (file === '-' && script === '-') throw usage('Only one of the two can be standard input.');
    const body = script === undefined ? null : await readBody(context.io, script);
    const bytes = await readCapsuleFile(context.io, file);
    const { readCapsule, replay } = await import('../../replay.ts');
    const capsule = readCapsule(bytes);
    const done = await interruptible(context, 'replay', (signal) => replay(capsule, body, signal));
    const source = { name: script ?? done.script ?? file, body: body ?? capsule.capsule.script.body.join('\n') };
    context.io.out(json ? jsonLine(done) : replayText(done, source, context.io));
    if (!json) for (const warning of done.warnings) context.io.err(`${warning}\n`);
    if (done.report.status !== 'ok') context.exit(EXIT.refused);
  });
  command.addHelpText(
    'after',
    `
Examples:
  tagwright run store.js --dry-run --capsule store.capsule.json
  tagwright replay store.capsule.json
  tagwright replay store.capsule.json --script store.js --json`,
  );
}

/** Ctrl+C aborts the signal of this work. */
export async function interruptible<T>(
  { io }: CommandContext,
  what: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const cancel = new AbortController();
  const stop = io.onInterrupt(() => {
    io.err(`Cancelling the ${what}…\n`);
    cancel.abort();
  });
  try {
    return await work(cancel.signal);
  } finally {
    stop();
  }
}
