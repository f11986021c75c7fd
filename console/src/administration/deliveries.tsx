import { DELIVERY_STATES } from '@fieldwatch/contract';
import { SegmentedControl, Text } from '@mantine/core';
import { IconSend } from '../icons/index.ts';
import {
  compact,
  oneIn,
  pageIn,
  type Raw,
  type Reply,
  useFilters,
  useRead,
  useWrite,
} from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import {
  attempt,
  type Column,
  Empty,
  Filters,
  Listing,
  pageOf,
  RecordTable,
  type RowAction,
  StateBadge,
  Timestamp,
  type Tone,
} from '../ui/index.ts';
import { useWebhooks } from './alarm-group-form.tsx';

const words = strings.administration.deliveries;

type Delivery = Reply<'listDeliveries'>['items'][number];

const TONES: Readonly<Record<Delivery['state'], Tone>> = {
  PENDING: 'low',
  DELIVERED: 'good',
  FAILED: 'bad',
};

const parse = (raw: Raw) =>
  compact({ state: oneIn(raw.state, DELIVERY_STATES), page: pageIn(raw.page) });

const columns: readonly Column<Delivery>[] = [
  {
    head: words.notification,
    cell: ({ type, eventCount }) => `${words.types[type]}, ${words.events(eventCount)}`,
  },
  { head: words.recipient, cell: (delivery) => <Recipient delivery={delivery} /> },
  {
    head: words.state,
    cell: ({ state, attempts, lastError }) => (
      <>
        <StateBadge tone={TONES[state]}>{words.states[state]}</StateBadge>{' '}
        {words.attempts(attempts)}
        {lastError && state !== 'DELIVERED' ? (
          <Text size="xs" c="dimmed">
            {lastError}
          </Text>
        ) : null}
      </>
    ),
  },
  {
    head: words.lastAttempt,
    cell: ({ lastAttemptDateTime }) => <Timestamp at={lastAttemptDateTime} />,
    isMinor: true,
  },
  {
    head: words.created,
    cell: ({ createdDateTime }) => <Timestamp at={createdDateTime} />,
    isMinor: true,
  },
];

function Recipient({ delivery: { email, webhookId } }: { delivery: Delivery }) {
  const webhooks = useWebhooks();
  return <>{email ?? webhooks.find(({ id }) => id === webhookId)?.name ?? webhookId}</>;
}

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

/** Notification deliveries with their state. */
export function Deliveries() {
  const [{ state, page = 1 }, setFilters] = useFilters(parse);
  const actionsOf = useRedelivery();
  const query = useRead(
    'listDeliveries',
    { query: { ...pageOf(page), ...(state ? { states: [state] } : {}) } },
    { keepsPrevious: true, refetchIntervalMs: 10_000 },
  );
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
      </Filters>
      <Listing
        query={query}
        page={page}
        onPage={(next) => setFilters({ page: next })}
        isFiltered={false}
        empty={
          <Empty title={words.empty} icon={<IconSend />}>
            {words.emptyHint}
          </Empty>
        }
      >
        {(items) => (
          <RecordTable
            label={strings.administration.tabs.deliveries}
            columns={columns}
            isWide
            columnsKey="deliveries"
            records={items}
            actions={{ nameOf: ({ type }) => words.types[type], of: actionsOf }}
          />
        )}
      </Listing>
    </>
  );
}
