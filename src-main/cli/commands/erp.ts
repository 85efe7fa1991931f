import type { Command } from 'commander';
import type { ErpRecord } from '#domain/tag/erp';
import { grouped } from '#domain/text/grouped';
import type { InstanceClient } from '../../host/instance-client.ts';
import type { CommandContext, JsonOption, WorkspaceOption } from '../context.ts';
import { inSession, withJson, withWorkspace } from '../context.ts';
import { usage } from '../input.ts';
import { cell, jsonLine, table, valueCell, counted } from '../text.ts';
import type { FormatOption } from './tags.ts';
import { formatOf, formatOption } from './tags.ts';
import { putExport } from '../output.ts';

/** The command group `erp`. */
export function addErp(program: Command, context: CommandContext): void {
  const erp = program.command('erp').description('Lists, exports and clears the records that ERP tags sent.');
  for (const add of [addErpList, addErpExport, addErpClear]) add(erp, context);
}

interface ErpListOptions extends WorkspaceOption, JsonOption, RecordFilterOptions {
  limit: string;
}

const PAGE = 1_000;

function addErpList(erp: Command, context: CommandContext): void {
  const command = erp
    .command('list')
    .description('Lists the records that ERP tags sent, newest first.')
    .option('--limit <count>', 'maximum number of records to list', '50');
  withJson(withRecordFilter(withWorkspace(command))).action(async (options: ErpListOptions) => {
    const limit = countOf(options.limit);
    const { records, total } = await inSession(context, options, (client) =>
      newest(client, limit, recordFilterOf(options)),
    );
    if (options.json) return context.io.out(jsonLine(records));
    const rows = records.map(({ id, sentAt, tag, record }) => [String(id), sentAt, cell(tag), valueCell(record)]);
    context.io.out(table([['ID', 'SENT', 'TAG', 'RECORD'], ...rows]));
    context.io.err(`${grouped(records.length)} of ${grouped(total)} in the outbox\n`);
  });
}

function countOf(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count > 0) return count;
  throw usage(`--limit must be a whole number of at least 1, not "${text}"`);
}

async function newest(client: InstanceClient, limit: number, filter: ReturnType<typeof recordFilterOf>) {
  const records: ErpRecord[] = [];
  for (let after: number | null = null; ;) {
    const page: Awaited<ReturnType<InstanceClient['erp']['list']>> = await client.erp.list({
      ...filter,
      limit: Math.min(PAGE, limit - records.length),
      ...(after !== null && { after }),
    });
    records.push(...page.records);
    after = page.next;
    if (after === null || records.length >= limit) return { records, total: page.total };
  }
}

interface ErpExportOptions extends WorkspaceOption, JsonOption, FormatOption, RecordFilterOptions {}

function addErpExport(erp: Command, context: CommandContext): void {
  const command = erp
    .command('export')
    .description('Writes the records that ERP tags sent to a file. An existing file is replaced.')
    .argument('<file>', 'CSV or JSON file, or - for standard output')
    .addOption(formatOption());
  withJson(withRecordFilter(withWorkspace(command))).action(async (file: string, options: ErpExportOptions) => {
    const format = formatOf(file, options);
    const exported = await inSession(context, options, (client) =>
      client.erp.export({ format, ...recordFilterOf(options) }),
    );
    await putExport(context.io, exported, { ...options, file, what: 'record' });
  });
}

interface ClearOptions extends WorkspaceOption, JsonOption {
  all?: boolean;
  tag?: string;
  before?: string;
}

function addErpClear(erp: Command, context: CommandContext): void {
  const command = erp
    .command('clear')
    .description('Deletes records from the outbox: choose --all, --tag, --before, or the last two together.')
    .option('--all', 'every record')
    .option('--tag <path>', 'records that were sent under this path')
    .option('--before <time>', 'records that were sent before this time, such as 2026-08-01T06:00:00Z');
  withJson(withWorkspace(command)).action(async (options: ClearOptions) => {
    const { all, tag, before } = options;
    if ((tag === undefined && before === undefined) === (all === undefined)) {
      throw usage('Choose the records to delete: --all, or --tag and --before.');
    }
    const { count } = await inSession(context, options, (client) =>
      client.erp.clear({ ...(tag !== undefined && { tag }), ...(before !== undefined && { before }) }),
    );
    context.io.out(options.json ? jsonLine({ count }) : `${counted(count, 'record')} deleted\n`);
  });
}

/** The records that a command selects. */
interface RecordFilterOptions {
  tag?: string;
  text?: string;
  from?: string;
  to?: string;
}

function withRecordFilter(command: Command): Command {
  return command
    .option('--tag <path>', 'only records that were sent under this path')
    .option('--text <text>', 'only records that contain this text')
    .option('--from <time>', 'only records sent at or after this time, such as 2026-08-01T06:00:00Z')
    .option('--to <time>', 'only records sent before this time');
}

const recordFilterOf = ({ tag, text, from, to }: RecordFilterOptions) => ({
  ...(tag !== undefined && { tag }),
  ...(text !== undefined && { text }),
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
});
