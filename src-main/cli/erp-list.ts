import type { Command } from 'commander';
import type { ErpRecord } from '#domain/tag/erp';
import type { Client } from '../host/instance-client.ts';
import type { CommandContext, JsonOption, WorkspaceOption } from './context.ts';
import { inSession, withJson, withWorkspace } from './context.ts';
import type { MeantOptions } from './erp-options.ts';
import { meantOf, withMeant } from './erp-options.ts';
import { usage } from './input.ts';
import { cell, jsonLine, table, valueCell } from './text.ts';

interface ListOptions extends WorkspaceOption, JsonOption, MeantOptions {
  limit: string;
}

const PAGE = 1_000;

export function addErpList(erp: Command, context: CommandContext): void {
  const command = erp
    .command('list')
    .description('Lists the records that were sent through ERP tags, the newest first.')
    .option('--limit <count>', 'at most so many records', '50');
  withJson(withMeant(withWorkspace(command))).action(async (options: ListOptions) => {
    const limit = countOf(options.limit);
    const { records, total } = await inSession(context, options, (client) => newest(client, limit, meantOf(options)));
    if (options.json) return context.io.out(jsonLine(records));
    const rows = records.map(({ id, sentAt, tag, record }) => [String(id), sentAt, cell(tag), valueCell(record)]);
    context.io.out(table([['ID', 'SENT', 'TAG', 'RECORD'], ...rows]));
    context.io.err(`${records.length.toLocaleString('en')} of ${total.toLocaleString('en')} in the outbox\n`);
  });
}

function countOf(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count > 0) return count;
  throw usage(`--limit is a whole number from 1 on, and not "${text}"`);
}

async function newest(client: Client, limit: number, meant: ReturnType<typeof meantOf>) {
  const records: ErpRecord[] = [];
  for (let after: number | null = null; ;) {
    const page: Awaited<ReturnType<Client['erp']['list']>> = await client.erp.list({
      ...meant,
      limit: Math.min(PAGE, limit - records.length),
      ...(after !== null && { after }),
    });
    records.push(...page.records);
    after = page.next;
    if (after === null || records.length >= limit) return { records, total: page.total };
  }
}
