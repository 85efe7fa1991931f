import type { Command } from 'commander';
import type { ConformanceReport, SituationReport } from '#domain/event/conformance';
import { systemClock } from '../../platform/clock.ts';
import { checkPage } from '../../events/api/conformance/report-page.ts';
import { checkJUnit, figuresOf, STATE_TEXTS, summaryOf, titleOf } from '../../events/api/conformance/report-texts.ts';
import { productRoot } from '../../platform/files/paths.ts';
import { printable } from '../../platform/report/printable.ts';
import { productVersion } from '../../platform/version.ts';
import { interruptible } from '../commands/run.ts';
import type { CommandContext, JsonOption } from '../context.ts';
import { withJson } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { usage, whole } from '../input.ts';
import { colored, type Io } from '../io.ts';
import { checkTarget, saveFile } from '../output.ts';
import { jsonLine, table } from '../text.ts';
import { type ClientProgram, startProgram } from './client-program.ts';

interface CheckCommandOptions extends JsonOption {
  client?: string;
  run?: string;
  only?: string;
  junit?: string;
  page?: string;
  seed: string;
  seconds: string;
  wait: string;
  ruleId: string;
  port: string;
  /** False with --no-key. */
  key: boolean;
}

const LONGEST_NAME = 400;
const LONGEST_COMMAND = 10_000;
const COLORS = { passed: 'green', failed: 'red', unmet: 'yellow', skipped: 'dim' } as const;

export function addCheck(consumers: Command, context: CommandContext): void {
  const command = consumers
    .command('check')
    .summary('takes a consumer through 20 situations, and reports what it lost, processed twice or hammered')
    .description(
      'Starts an events API with test events on a port of its own, and takes a consumer through 20 situations: pages, slow, ' +
        'lost and changed responses, errors, an expired key, an outage. Reports which events it never acknowledged (lost), ' +
        'which it acknowledged again without need (twice), and where it did not wait (hammered). Uses no workspace. ' +
        'Exits with 1 if something failed. Ctrl+C cancels; what was done so far is reported.',
    )
    .option(
      '--client <name>',
      'only check requests with this User-Agent, its first part, this address, or this name of a consumer',
    )
    .option(
      '--run <command>',
      'start this command, with $TAGWRIGHT_EVENTS_URL and $TAGWRIGHT_EVENTS_API_KEY, and end it after the run',
    )
    .option('--only <names>', 'only these situations, separated by commas')
    .option('--junit <file>', 'also write the report as JUnit XML')
    .option('--page <file>', 'also write the report as a page (HTML)')
    .option('--seed <number>', 'seed of the random faults', '1')
    .option('--seconds <count>', 'maximum time without progress in a situation', '20')
    .option('--wait <seconds>', 'maximum time until its first request', '60')
    .option('--rule-id <number>', 'RuleId of the test events', '1')
    .option('--port <number>', 'port of the test API; 0 picks a free one', '0')
    .option('--no-key', 'accept requests without the API key');
  withJson(command).action((options: CheckCommandOptions) => check(context, options));
  command.addHelpText(
    'after',
    `
Examples:
  tagwright consumers check --client my-erp --port 4870 --junit check.xml --page check.html
  tagwright consumers check --run "node erp.mjs"
  tagwright consumers check --run "node erp.mjs" --only cut,outage --seed 7 --json`,
  );
}

async function check(context: CommandContext, options: CheckCommandOptions): Promise<void> {
  const { io } = context;
  const { client = null, junit, page, run = null } = options;
  if (client === '' || (client?.length ?? 0) > LONGEST_NAME) throw usage('--client is the name of a consumer.');
  if (run !== null && (run.trim() === '' || run.length > LONGEST_COMMAND)) throw usage('--run is a command line.');
  const numbers = {
    seed: whole('--seed', options.seed, 0, 2 ** 31 - 1),
    seconds: whole('--seconds', options.seconds, 1, 600),
    waitSeconds: whole('--wait', options.wait, 1, 3_600),
    ruleId: whole('--rule-id', options.ruleId, 1, 2 ** 31 - 1),
    port: whole('--port', options.port, 0, 65_535),
  };
  const { checkConsumer } = await import('../../events/api/conformance/check-consumer.ts');
  const { SITUATIONS } = await import('../../events/api/conformance/situations.ts');
  const situations = chosen(SITUATIONS, options.only);
  for (const target of [junit, page]) if (target !== undefined) await checkTarget(target);

  const ended = new AbortController();
  let program: ClientProgram | null = null;
  const onReady = ({ url, apiKey }: { url: string; apiKey: string }): void => {
    const key = options.key ? `API key ${apiKey}` : 'no API key';
    io.err(`The events API for this check: ${url} (${key})\n`);
    if (run === null) return io.err(`Start the consumer with this address within ${numbers.waitSeconds} s.\n`);
    const environment = { TAGWRIGHT_EVENTS_URL: url, TAGWRIGHT_EVENTS_API_KEY: options.key ? apiKey : '' };
    const started = startProgram(run, environment, (text) => io.err(text));
    started.ended.addEventListener('abort', () => ended.abort(started.ended.reason));
    program = started;
  };
  let done = 0;
  const onReport = ({ name, state, findings }: SituationReport): void => {
    done += 1;
    const problems = [...new Set(findings.map(({ kind }) => kind))].join(', ');
    io.err(`${done}/${situations.length} ${name}: ${STATE_TEXTS[state]}${problems === '' ? '' : ` (${problems})`}\n`);
  };
  const fixed = { client, situations, isOpen: !options.key, clock: systemClock, log: context.log };
  const version = productVersion(productRoot());
  const report = await interruptible(context, 'check', async (signal) => {
    try {
      return await checkConsumer({
        ...numbers,
        ...fixed,
        version,
        onReady,
        onReport,
        signal,
        programEnded: ended.signal,
      });
    } finally {
      await program?.stop();
    }
  });
  io.out(options.json ? jsonLine(report) : checkText(report, io));
  if (junit !== undefined) await saveFile(junit, await checkJUnit(report));
  if (page !== undefined) await saveFile(page, checkPage(report));
  if (report.state !== 'passed') context.exit(EXIT.refused);
}

function chosen<S extends { name: string }>(all: readonly S[], only: string | undefined): readonly S[] {
  if (only === undefined) return all;
  const names = only.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !all.some((one) => one.name === name));
  if (unknown !== undefined) {
    throw usage(
      `--only has "${unknown}". Use one or more of ${all.map(({ name }) => name).join(', ')}, separated by commas.`,
    );
  }
  return all.filter(({ name }) => names.includes(name));
}

/** The report of a conformance run for people: a line for each situation, and its findings. */
function checkText(report: ConformanceReport, io: Io): string {
  const rows = report.situations.map((one) => [
    `  ${one.name}`,
    one.title,
    STATE_TEXTS[one.state],
    one.state === 'skipped' ? '' : figuresOf(one),
  ]);
  const lines = table([['  SITUATION', '', 'RESULT', ''], ...rows]).split('\n');
  const details = report.situations.map(({ state, findings, notes }) =>
    [
      ...findings.map(({ kind, message }) => `      ${colored(io, 'red', kind)}: ${printable(message)}\n`),
      ...notes.map((note) => `      ${printable(note)}\n`),
    ].map((line) => (state === 'passed' || state === 'unmet' ? colored(io, COLORS.unmet, line) : line)),
  );
  const body = lines.flatMap((line, at) => (line === '' ? [] : [`${line}\n`, ...(details[at - 1] ?? [])]));
  return `${titleOf(report)}\n\n${body.join('')}\n${summaryOf(report)}\n`;
}
