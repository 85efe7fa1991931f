import type { Webhook, WebhookDelivery } from '#domain/event/webhook';
import { useCommands } from '../../../frame/workbench.ts';
import { Button } from '../../../ui/fluent.ts';
import { AddRegular } from '../../../ui/icons.ts';
import { useKeptLook } from '../../../ui/lists/grid-look.ts';
import { type GridColumn, VirtualGrid } from '../../../ui/lists/virtual-grid.tsx';
import { TableTime, TIME_WIDTH } from '../../../ui/text/table-time.tsx';
import events from '../events.module.css';
import { LISTED } from './use-webhooks.ts';
import styles from './webhooks.module.css';

interface Props {
  webhooks: readonly Webhook[] | null;
  deliveries: readonly WebhookDelivery[];
  problem: string | null;
  /** Ids of the selected ones. */
  chosen: number | null;
  chosenDelivery: number | null;
  active: boolean;
  onChoose: (id: number) => void;
  onChooseDelivery: (delivery: WebhookDelivery) => void;
  onNew: () => void;
  onEdit: (webhook: Webhook) => void;
}

/** The webhooks, and what the selected one sent. */
export function WebhooksPane(props: Props) {
  const { webhooks, deliveries, problem, chosen, chosenDelivery, active, onChoose, onChooseDelivery, onNew, onEdit } =
    props;
  const kept = useKeptLook('webhooks');
  const keptLog = useKeptLook('webhook-deliveries');
  useCommands([
    { id: 'webhooks.new', section: 'Events', title: 'New webhook', keys: 'Alt+N', enabled: active, run: onNew },
  ]);
  const listed = webhooks ?? [];
  const webhook = listed.find(({ id }) => id === chosen);
  const isMany = deliveries.length === LISTED;
  return (
    <div className={styles.pane}>
      <div className={events.bar}>
        <Button size="small" icon={<AddRegular />} aria-keyshortcuts="Alt+N" onClick={onNew}>
          New webhook
        </Button>
      </div>
      {problem !== null && (
        <p className={events.hint} role="alert">
          The webhooks could not be loaded: {problem}
        </p>
      )}
      {webhooks && listed.length === 0 ? (
        <p className={events.hint}>
          There are no webhooks yet. A webhook sends each change of an event to a URL, signed, so that other systems
          need not poll.
        </p>
      ) : (
        <>
          <section className={styles.webhooks} aria-label="Webhooks" data-pane="webhooks">
            <VirtualGrid
              label="Webhooks"
              columns={COLUMNS}
              kept={kept}
              count={listed.length}
              rowAt={(index) => listed[index]}
              activeIndex={listed.findIndex(({ id }) => id === chosen)}
              onChoose={(index) => {
                const one = listed[index];
                if (one) onChoose(one.id);
              }}
              onOpen={(index) => {
                const one = listed[index];
                if (one) onEdit(one);
              }}
            />
          </section>
          <section className={styles.log} aria-label="Delivery log" data-pane="webhook-log">
            <h2>
              {isMany ? `The newest ${LISTED} deliveries` : 'Deliveries'}
              {webhook && (
                <>
                  {' of '}
                  <bdi>{webhook.name}</bdi>
                </>
              )}
            </h2>
            {deliveries.length === 0 ? (
              <p className={events.hint}>Nothing has been sent yet.</p>
            ) : (
              <VirtualGrid
                label="Deliveries"
                columns={LOG_COLUMNS}
                kept={keptLog}
                count={deliveries.length}
                rowAt={(index) => deliveries[index]}
                activeIndex={deliveries.findIndex(({ id }) => id === chosenDelivery)}
                activeKey={chosenDelivery ?? undefined}
                onChoose={(index) => {
                  const one = deliveries[index];
                  if (one) onChooseDelivery(one);
                }}
              />
            )}
          </section>
        </>
      )}
    </div>
  );
}

/** The state of a webhook as its color and text. */
function stateOf({ enabled, problem }: Webhook): { sort: string; text: string } {
  if (!enabled) return { sort: problem === null ? 'plain' : 'bad', text: 'disabled' };
  return problem === null ? { sort: 'good', text: 'enabled' } : { sort: 'warning', text: 'failing' };
}

const SORTS: Readonly<Record<WebhookDelivery['state'], string>> = {
  pending: 'warning',
  delivered: 'good',
  failed: 'bad',
  gap: 'bad',
};

/** A delivery that was never attempted just waits. */
const sortOf = ({ state, attempts }: WebhookDelivery): string =>
  state === 'pending' && attempts === 0 ? 'plain' : SORTS[state];

/** The state of a delivery in words. */
function deliveryText({ state, attempts }: WebhookDelivery): string {
  return state === 'pending' ? (attempts === 0 ? 'waiting' : 'retrying') : state;
}

/** The state of a delivery by color and text. */
export function DeliveryMark({ delivery }: { delivery: WebhookDelivery }) {
  return (
    <span className={events.status} data-sort={sortOf(delivery)}>
      {deliveryText(delivery)}
    </span>
  );
}

const COLUMNS: readonly GridColumn<Webhook>[] = [
  { name: 'Name', keep: 'shown', width: 'minmax(90px, 1fr)', cell: ({ name }) => name, hint: ({ name }) => name },
  { name: 'URL', width: 'minmax(120px, 2fr)', cell: ({ url }) => url, hint: ({ url }) => url, look: 'code' },
  {
    name: 'State',
    width: '90px',
    cell: (webhook) => {
      const { sort, text } = stateOf(webhook);
      return (
        <span className={events.status} data-sort={sort}>
          {text}
        </span>
      );
    },
    hint: (webhook) => webhook.problem ?? stateOf(webhook).text,
  },
  { name: 'Waiting', width: '72px', cell: ({ pending }) => pending.toLocaleString('en'), look: 'number' },
  {
    name: 'Last delivered',
    width: TIME_WIDTH,
    cell: ({ lastDeliveredAt }) => (lastDeliveredAt === null ? 'never' : <TableTime at={new Date(lastDeliveredAt)} />),
  },
];

const LOG_COLUMNS: readonly GridColumn<WebhookDelivery>[] = [
  { name: 'Time', keep: 'shown', width: TIME_WIDTH, cell: ({ at }) => <TableTime at={new Date(at)} /> },
  { name: 'Type', width: 'minmax(110px, 1fr)', cell: ({ type }) => type, look: 'code' },
  { name: 'Event', width: '66px', cell: ({ eventId }) => eventId ?? '', look: 'number' },
  { name: 'State', width: '96px', cell: (delivery) => <DeliveryMark delivery={delivery} />, hint: deliveryText },
  { name: 'Attempts', width: '76px', cell: ({ attempts }) => attempts, look: 'number' },
  {
    name: 'Outcome',
    width: 'minmax(90px, 2fr)',
    cell: ({ status, error }) => error ?? status ?? '',
    hint: ({ status, error }) => error ?? String(status ?? ''),
  },
];
