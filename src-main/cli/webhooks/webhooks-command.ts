import type { Command } from 'commander';
import { Option } from 'commander';
import { EVENT_CHANGE_KINDS } from '#domain/event/event-change';
import type { Webhook, WebhookDelivery, WebhookDeliveryDetails, WebhookText } from '#domain/event/webhook';
import { NEW_WEBHOOK, WEBHOOK_CONTENTS, WEBHOOK_FORMATS, WEBHOOK_LIMITS } from '#domain/event/webhook';
import type { InstanceClient } from '../../host/instance-client.ts';
import { TagwrightError } from '../../platform/errors.ts';
import type { CommandContext, JsonOption, WorkspaceOption } from '../context.ts';
import { inSession, withJson, withWorkspace } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { oneOf, usage } from '../input.ts';
import { printable } from '../../platform/report/printable.ts';
import { cell, counted, jsonLine, listedMoment, table, wholeCell } from '../text.ts';

/** The command group `webhooks`. */
export function addWebhooks(program: Command, context: CommandContext): void {
  const webhooks = program
    .command('webhooks')
    .description('Lists, adds, changes, tests and deletes webhooks, and shows what they sent.');
  for (const add of [
    addWebhooksList,
    addWebhooksAdd,
    addWebhooksEdit,
    addWebhooksDelete,
    addWebhooksRotate,
    addWebhooksTest,
    addWebhooksLog,
    addWebhooksShow,
    addWebhooksResend,
  ])
    add(webhooks, context);
}

type Options = WorkspaceOption & JsonOption;

function addWebhooksList(webhooks: Command, context: CommandContext): void {
  const command = webhooks.command('list').description('Lists the webhooks. Secrets are never shown.');
  withJson(withWorkspace(command)).action(async (options: Options) => {
    const { webhooks: listed } = await inSession(context, options, (client) => client.webhooks.list());
    if (options.json) return context.io.out(jsonLine(listed));
    const rows = listed.map((webhook) => [
      String(webhook.id),
      cell(webhook.name),
      cell(webhook.url),
      webhook.ruleIds === null ? 'all' : webhook.ruleIds.join(','),
      webhook.changes.length === EVENT_CHANGE_KINDS.length ? 'all' : webhook.changes.join(','),
      String(webhook.pending),
      stateOf(webhook),
    ]);
    if (rows.length > 0)
      context.io.out(table([['ID', 'NAME', 'URL', 'RULES', 'CHANGES', 'WAITING', 'STATE'], ...rows]));
    context.io.err(`${counted(rows.length, 'webhook')}\n`);
  });
}

function stateOf({ enabled, problem }: Webhook): string {
  const state = enabled ? 'enabled' : 'disabled';
  return problem === null ? state : `${state}: ${wholeCell(problem)}`;
}

interface TextOptions extends WorkspaceOption, JsonOption {
  name?: string;
  url?: string;
  rule?: string[];
  change?: string[];
  content?: WebhookText['content'];
  format?: WebhookText['format'];
  disabled?: boolean;
  enable?: boolean;
}

const repeated = (one: string, all: string[] = []): string[] => [...all, one];

function withText(command: Command): Command {
  return command
    .option('--name <name>', 'a name for it (default: the host)')
    .option('--rule <rule>', 'a rule whose events are sent, by name or id, or "all"; may be repeated', repeated)
    .option('--change <change>', `a change to send: ${EVENT_CHANGE_KINDS.join(', ')}; may be repeated`, repeated)
    .addOption(
      oneOf(new Option('--content <content>', 'ids only (thin), or the event and its data row'), WEBHOOK_CONTENTS),
    )
    .addOption(oneOf(new Option('--format <format>', 'plain JSON, or CloudEvents 1.0'), WEBHOOK_FORMATS));
}

function addWebhooksAdd(webhooks: Command, context: CommandContext): void {
  const command = webhooks
    .command('add')
    .description('Adds a webhook, which gets all changes from now on, and prints its secret. It is not shown again.')
    .argument('<url>', 'the URL of the receiver')
    .option('--disabled', 'do not send yet');
  withJson(withWorkspace(withText(command))).action(async (url: string, options: TextOptions) => {
    const saved = await inSession(context, options, async (client) =>
      client.webhooks.save({
        ...NEW_WEBHOOK,
        url,
        enabled: options.disabled !== true,
        ...(await textOf(client, options)),
      }),
    );
    if (options.json) return context.io.out(jsonLine(saved));
    context.io.out(`Added ${titleOf(saved.webhook)}\nSecret: ${saved.secret ?? ''}\n`);
  });
}

function addWebhooksEdit(webhooks: Command, context: CommandContext): void {
  const command = webhooks
    .command('edit')
    .description('Changes a webhook, enables or disables it. Other members stay.')
    .argument('<id>', 'id of the webhook')
    .option('--url <url>', 'the URL of the receiver')
    .option('--enable', 'enable it: changes since it was disabled are sent, if the change feed still has them')
    .option('--no-enable', 'disable it');
  withJson(withWorkspace(withText(command))).action(async (id: string, options: TextOptions) => {
    const saved = await inSession(context, options, async (client) => {
      const { savedAt, ...stored } = await webhookOf(client, id);
      const { url = stored.url, enable: enabled = stored.enabled } = options;
      const text = { ...stored, url, enabled, ...(await textOf(client, options)) };
      return client.webhooks.save({ ...text, baseSavedAt: savedAt });
    });
    context.io.out(options.json ? jsonLine(saved.webhook) : `Changed ${titleOf(saved.webhook)}\n`);
  });
}

/** The members of a webhook that options name. */
async function textOf(client: InstanceClient, options: TextOptions): Promise<Partial<WebhookText>> {
  const { name, rule, change, content, format } = options;
  return {
    ...(name !== undefined && { name }),
    ...(rule !== undefined && { ruleIds: await ruleIdsOf(client, rule) }),
    ...(change !== undefined && { changes: changesOf(change) }),
    ...(content !== undefined && { content }),
    ...(format !== undefined && { format }),
  };
}

function changesOf(given: readonly string[]): WebhookText['changes'] {
  const unknown = given.find((text) => !EVENT_CHANGE_KINDS.some((kind) => kind === text));
  if (unknown === undefined) return EVENT_CHANGE_KINDS.filter((kind) => given.includes(kind));
  throw usage(`"${unknown}" is not a change. Enter one of: ${EVENT_CHANGE_KINDS.join(', ')}.`);
}

async function ruleIdsOf(client: InstanceClient, given: readonly string[]): Promise<number[] | null> {
  if (given.length === 1 && given[0] === 'all') return null;
  const rules = await client.rules.list();
  return given.map((text) => {
    const rule = rules.find(({ id, name }) => name === text || String(id) === text);
    if (rule) return rule.id;
    throw new TagwrightError('NOT_FOUND', `There is no rule "${cell(text)}". Run "tagwright rules list" to see all.`);
  });
}

function addWebhooksDelete(webhooks: Command, context: CommandContext): void {
  const command = webhooks
    .command('delete')
    .description('Deletes a webhook with its log. Pending messages are not sent.')
    .argument('<id>', 'id of the webhook');
  withJson(withWorkspace(command)).action(async (id: string, options: Options) => {
    const deleted = await inSession(context, options, async (client) => {
      const webhook = await webhookOf(client, id);
      await client.webhooks.delete({ id: webhook.id });
      return webhook;
    });
    context.io.out(options.json ? jsonLine({ id: deleted.id }) : `Deleted ${titleOf(deleted)}\n`);
  });
}

function addWebhooksRotate(webhooks: Command, context: CommandContext): void {
  const { min, max, usual } = WEBHOOK_LIMITS.overlapHours;
  const command = webhooks
    .command('rotate')
    .description('Gives a webhook a new secret, and prints it. Messages are signed with both secrets for some hours.')
    .argument('<id>', 'id of the webhook')
    .option('--hours <hours>', 'how long the previous secret stays valid', String(usual));
  withJson(withWorkspace(command)).action(async (id: string, options: Options & { hours: string }) => {
    const overlapHours = Number(options.hours);
    if (!(overlapHours >= min && overlapHours <= max)) throw usage(`--hours must be a number from ${min} to ${max}.`);
    const rotated = await inSession(context, options, (client) =>
      client.webhooks.rotate({ id: idOf(id), overlapHours }),
    );
    if (options.json) return context.io.out(jsonLine(rotated));
    context.io.out(`Secret: ${rotated.secret}\n`);
  });
}

function addWebhooksTest(webhooks: Command, context: CommandContext): void {
  const command = webhooks
    .command('test')
    .description('Sends a test message, and prints the response. Exits with 1 if it was not confirmed.')
    .argument('<id>', 'id of the webhook');
  withJson(withWorkspace(command)).action(async (id: string, options: Options) => {
    report(context, options, await inSession(context, options, (client) => client.webhooks.test({ id: idOf(id) })));
  });
}

interface DeliveryLogOptions extends WorkspaceOption, JsonOption {
  limit: string;
}

function addWebhooksLog(webhooks: Command, context: CommandContext): void {
  const command = webhooks
    .command('log')
    .description('Lists the newest deliveries of a webhook, or of all, newest first.')
    .argument('[id]', 'id of the webhook')
    .option('--limit <count>', 'maximum number of deliveries to list', '50');
  withJson(withWorkspace(command)).action(async (id: string | undefined, options: DeliveryLogOptions) => {
    const limit = Number(options.limit);
    if (!Number.isInteger(limit) || limit < 1 || limit > WEBHOOK_LIMITS.log)
      throw usage(`--limit must be a whole number from 1 to ${WEBHOOK_LIMITS.log}.`);
    const { deliveries } = await inSession(context, options, async (client) =>
      client.webhooks.log({ webhookId: id === undefined ? null : (await webhookOf(client, id)).id, limit }),
    );
    if (options.json) return context.io.out(jsonLine(deliveries));
    const head = ['ID', 'WEBHOOK', 'TIME (UTC)', 'TYPE', 'EVENT', 'STATE', 'ATTEMPTS', 'NEXT (UTC)', 'OUTCOME'];
    if (deliveries.length > 0) context.io.out(table([head, ...deliveries.map(logRow)]));
    context.io.err(`${counted(deliveries.length, 'entry').replace('entrys', 'entries')}\n`);
  });
}

function logRow(delivery: WebhookDelivery): string[] {
  const { id, webhookId, at, type, eventId, state, attempts, nextAttemptAt } = delivery;
  return [
    String(id),
    String(webhookId),
    listedMoment(at),
    type,
    eventId === null ? '' : String(eventId),
    state,
    String(attempts),
    nextAttemptAt === null ? '' : listedMoment(nextAttemptAt),
    outcomeOf(delivery),
  ];
}

const outcomeOf = ({ status, error }: WebhookDelivery): string => (error === null ? String(status ?? '') : cell(error));

function addWebhooksShow(webhooks: Command, context: CommandContext): void {
  const command = webhooks
    .command('show')
    .description('Prints a delivery: the request and the response of its last attempt.')
    .argument('<delivery>', 'id of the delivery, as in "webhooks log"');
  withJson(withWorkspace(command)).action(async (id: string, options: Options) => {
    const { request, response, ...delivery } = await inSession(context, options, (client) =>
      client.webhooks.delivery({ id: idOf(id) }),
    );
    if (options.json) return context.io.out(jsonLine({ ...delivery, request, response }));
    context.io.out(`${delivery.type}, ${delivery.state}, ${counted(delivery.attempts, 'attempt')}\n`);
    if (delivery.error !== null) context.io.out(`${printable(delivery.error)}\n`);
    context.io.out(`\nRequest\n${messageText(request)}`);
    if (response) context.io.out(`\nResponse ${delivery.status ?? ''}\n${messageText(response)}`);
  });
}

function messageText({ headers, body }: { headers: readonly [string, string][]; body: string | null }): string {
  const lines = headers.map(([name, value]) => `${printable(name)}: ${printable(value)}\n`).join('');
  return `${lines}${body ? `\n${printable(body)}\n` : ''}`;
}

function addWebhooksResend(webhooks: Command, context: CommandContext): void {
  const command = webhooks
    .command('resend')
    .description(
      'Sends a delivery again with the same id, and prints the response. Exits with 1 if it was not confirmed.',
    )
    .argument('<delivery>', 'id of the delivery, as in "webhooks log"');
  withJson(withWorkspace(command)).action(async (id: string, options: Options) => {
    report(context, options, await inSession(context, options, (client) => client.webhooks.resend({ id: idOf(id) })));
  });
}

function report(context: CommandContext, { json }: JsonOption, delivery: WebhookDeliveryDetails): void {
  const isDelivered = delivery.state === 'delivered';
  const time = delivery.ms === null ? '' : ` in ${Math.round(delivery.ms)} ms`;
  const { io } = context;
  if (json) io.out(jsonLine(delivery));
  else
    io.out(
      `${isDelivered ? 'Delivered' : 'Not delivered'}: ${printable(delivery.error ?? `status ${delivery.status ?? ''}`)}${time}\n`,
    );
  if (!isDelivered) context.exit(EXIT.refused);
}

const titleOf = ({ id, name }: Webhook): string => `webhook "${cell(name)}" (${id})`;

function idOf(text: string): number {
  const id = Number(text);
  if (Number.isSafeInteger(id) && id > 0) return id;
  throw usage(`"${text}" is not an id. Run "tagwright webhooks list" or "tagwright webhooks log" to see the ids.`);
}

/** Throws NOT_FOUND. */
async function webhookOf(client: InstanceClient, text: string): Promise<Webhook> {
  const id = idOf(text);
  const found = (await client.webhooks.list()).webhooks.find((webhook) => webhook.id === id);
  if (found) return found;
  throw new TagwrightError('NOT_FOUND', `There is no webhook ${id}. Run "tagwright webhooks list" to see the ids.`);
}
