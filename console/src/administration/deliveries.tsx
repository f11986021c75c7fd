import { DELIVERY_STATES } from '@fieldwatch/contract';
import { SegmentedControl, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { IconSend } from '../icons/index.ts';
import {
  compact,
  oneIn,
  positionIn,
  type Raw,
  type Reply,
  useCall,
  useFilters,
  useWrite,
  type Webhook,
} from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import {
  attempt,
  type BulkAction,
  type Column,
  type CsvColumn,
  createdColumn,
  DeliveryStateBadge,
  Empty,
  exactTime,
  Filters,
  ListCsv,
  ListTable,
  type RowAction,
  SavedViews,
  Timestamp,
  useList,
} from '../ui/index.ts';
import { useWebhooks } from './alarm-group-form.tsx';
import { WebhookLink } from './webhook-link.tsx';

const words = strings.administration.deliveries;

type Delivery = Reply<'listDeliveries'>['items'][number];

const parse = (raw: Raw) =>
  compact({ ...positionIn(raw), state: oneIn(raw.state, DELIVERY_STATES) });

function columnsOf(webhooks: readonly Webhook[]): readonly Column<Delivery>[] {
  const recipientOf = ({ channel, email, phone, webhookId }: Delivery) => {
    if (channel === 'WEB_PUSH') return words.browserOf(email ?? '');
    return email ?? phone ?? webhooks.find(({ id }) => id === webhookId)?.name ?? webhookId ?? '';
  };
  return [
    {
      head: words.notification,
      cell: (delivery) => <Notification delivery={delivery} />,
      sortKey: 'TYPE',
      value: notificationText,
    },
    {
      head: words.recipient,
      cell: (delivery) =>
        delivery.webhookId === null ? (
          <span className="whole-words">{recipientOf(delivery)}</span>
        ) : (
          <WebhookLink name={recipientOf(delivery)} />
        ),
      sortKey: 'RECIPIENT',
      value: recipientOf,
    },
    stateColumn,
    {
      head: words.lastAttempt,
      cell: ({ lastAttemptDateTime }) => <Timestamp at={lastAttemptDateTime} />,
      sortKey: 'LAST_ATTEMPT',
      firstDirection: 'descending',
      value: ({ lastAttemptDateTime }) => lastAttemptDateTime,
      isMinor: true,
    },
    { ...createdColumn, isOptional: false },
  ];
}

const notificationText = ({ type, eventCount }: Delivery) =>
  `${words.types[type]}, ${words.events(eventCount)}`;

/** What was reported, with a link to the event if it is one. */
function Notification({ delivery }: { delivery: Delivery }) {
  const { eventId } = delivery;
  if (eventId === null) return notificationText(delivery);
  return (
    <Link to={`/alarms/events/${eventId}`} className="linked">
      {notificationText(delivery)}
    </Link>
  );
}

const stateColumn: Column<Delivery> = {
  head: words.state,
  cell: ({ state, attempts, lastError }) => (
    <>
      <DeliveryStateBadge state={state} /> {words.attempts(attempts)}
      {lastError && state !== 'DELIVERED' ? (
        <Text size="xs" c="dimmed">
          {lastError}
        </Text>
      ) : null}
    </>
  ),
  sortKey: 'STATE',
  value: ({ state }) => words.states[state],
  rank: ({ state }) => DELIVERY_STATES.indexOf(state),
};

/** Redelivery of a webhook notification; an email cannot be redelivered. */
function useRedelivery(): (delivery: Delivery) => readonly RowAction[] {
  const { may } = useSession();
  const redeliver = useWrite('redeliverWebhookDelivery');
  return ({ id, webhookId }) => {
    if (webhookId === null || !may('ManageWebhooks')) return [];
    const act = () =>
      void attempt(redeliver.mutateAsync({ webhookId, deliveryId: id }), words.redelivering);
    return [{ label: words.redeliver, act }];
  };
}

/** Redelivery of selected webhook notifications. */
function useBulk() {
  const { may } = useSession();
  const call = useCall();
  const redeliver: BulkAction<Delivery> = {
    label: words.redeliver,
    icon: <IconSend size={16} aria-hidden />,
    appliesTo: ({ webhookId }) => webhookId !== null,
    run: async ({ id, webhookId }) =>
      webhookId && call('redeliverWebhookDelivery', { webhookId, deliveryId: id }),
  };
  return {
    nameOf: ({ type, createdDateTime }: Delivery) =>
      words.one(words.types[type], exactTime(Date.parse(createdDateTime))),
    many: words.many,
    actions: may('ManageWebhooks') ? [redeliver] : [],
  };
}

/** Notification deliveries with their state. */
export function Deliveries() {
  const [filters, setFilters] = useFilters(parse);
  const { state } = filters;
  const actionsOf = useRedelivery();
  const bulk = useBulk();
  const list = useList({
    name: 'deliveries',
    operation: 'listDeliveries',
    inputOf: (paging) => ({ query: { ...paging, ...(state ? { states: [state] } : {}) } }),
    columns: columnsOf(useWebhooks()),
    position: filters,
    onChange: setFilters,
    refetchIntervalMs: 10_000,
  });
  return (
    <>
      <Filters>
        <SegmentedControl
          size="xs"
          aria-label={words.state}
          value={state ?? ''}
          onChange={(next) => setFilters({ state: oneIn(next, DELIVERY_STATES) })}
          data={[
            { value: '', label: strings.ui.all },
            ...DELIVERY_STATES.map((value) => ({ value, label: words.states[value] })),
          ]}
        />
        <SavedViews page={list.name} />
        <ListCsv list={list} more={CSV} />
      </Filters>
      <ListTable
        list={list}
        label={strings.administration.tabs.deliveries}
        isFiltered={state !== undefined}
        empty={
          <Empty title={words.empty} icon={<IconSend />}>
            {words.emptyHint}
          </Empty>
        }
        isWide
        actions={{ nameOf: ({ type }) => words.types[type], of: actionsOf }}
        bulk={bulk}
      />
    </>
  );
}

const CSV: readonly CsvColumn<Delivery>[] = [
  { head: words.error, value: ({ lastError }) => lastError },
];
