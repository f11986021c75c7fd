import { SEVERITIES, type Severity } from '@fieldwatch/contract';
import { Alert, Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { IconInfoCircle } from '../icons/index.ts';
import { type Reply, useCall, useRead, useWrite } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import {
  attempt,
  type Column,
  createdColumn,
  Loaded,
  notify,
  notifyFailure,
  Panel,
  type RowAction,
  SortedTable,
  StateBadge,
} from '../ui/index.ts';
import {
  currentEndpoint,
  currentObstacle,
  subscribeBrowser,
  unsubscribeBrowser,
} from './browser-push.ts';
import { clientName } from './client-name.ts';

const words = strings.account.push;

type Subscription = Reply<'listWebPushSubscriptions'>['items'][number];

const DEFAULT_SEVERITIES: readonly Severity[] = ['HIGH', 'CRITICAL'];
/** The most that a user can have. */
const MAX_SUBSCRIPTIONS = 10;

/** The user's browsers that receive notifications, also while the console is closed. */
export function PushPanel() {
  const query = useRead('listWebPushSubscriptions', { query: { take: MAX_SUBSCRIPTIONS } });
  const own = useQuery({ queryKey: ['push-endpoint'], queryFn: currentEndpoint, staleTime: 0 });
  const refresh = () => void own.refetch();
  return (
    <Panel title={words.title}>
      <Text size="sm" c="dimmed" mb="xs">
        {words.about}
      </Text>
      <Loaded query={query}>
        {({ items }) => {
          const current = items.find(({ endpoint }) => endpoint === own.data);
          return (
            <Stack gap="md">
              <ThisBrowser key={current?.id ?? 'none'} current={current} onChange={refresh} />
              {items.length === 0 ? null : (
                <Browsers subscriptions={items} current={current} onChange={refresh} />
              )}
            </Stack>
          );
        }}
      </Loaded>
    </Panel>
  );
}

interface ThisProps {
  readonly current: Subscription | undefined;
  readonly onChange: () => void;
}

function ThisBrowser({ current, onChange }: ThisProps) {
  const obstacle = currentObstacle();
  const [severities, setSeverities] = useState(current?.severities ?? DEFAULT_SEVERITIES);
  const [isBusy, setIsBusy] = useState(false);
  const call = useCall();
  const create = useWrite('createWebPushSubscription');
  if (obstacle) {
    return (
      <Alert variant="light" color="gray" p="xs" icon={<IconInfoCircle aria-hidden />}>
        {words.obstacles[obstacle]}
      </Alert>
    );
  }
  const turnOn = async () => {
    const { publicKey } = await call('retrieveWebPushKey', {});
    const browser = await subscribeBrowser(publicKey);
    if (!browser) return;
    const name = clientName(navigator.userAgent);
    await create.mutateAsync({ body: { ...browser, name, severities: [...severities] } });
    notify(words.on);
  };
  const run = () => {
    setIsBusy(true);
    void turnOn()
      .catch(notifyFailure)
      .finally(() => {
        setIsBusy(false);
        onChange();
      });
  };
  return (
    <Stack gap="xs" align="flex-start">
      <Checkbox.Group
        label={words.severities}
        value={[...severities]}
        onChange={(next) => setSeverities(SEVERITIES.filter((each) => next.includes(each)))}
      >
        <Group gap="md" mt={4}>
          {SEVERITIES.toReversed().map((value) => (
            <Checkbox key={value} value={value} label={strings.severities[value]} />
          ))}
        </Group>
      </Checkbox.Group>
      <Button disabled={severities.length === 0} loading={isBusy} onClick={run}>
        {current ? words.change : words.turnOn}
      </Button>
    </Stack>
  );
}

interface BrowsersProps extends ThisProps {
  readonly subscriptions: readonly Subscription[];
}

const severityText = ({ severities }: Subscription) =>
  severities.length === 0
    ? words.all
    : SEVERITIES.toReversed()
        .filter((each) => severities.includes(each))
        .map((each) => strings.severities[each])
        .join(', ');

function Browsers({ subscriptions, current, onChange }: BrowsersProps) {
  const remove = useWrite('deleteWebPushSubscription');
  const columns: readonly Column<Subscription>[] = [
    {
      head: words.browser,
      cell: ({ id, name }) => (
        <Group gap="xs">
          {name}
          {id === current?.id ? <StateBadge tone="good">{words.current}</StateBadge> : null}
        </Group>
      ),
      sortKey: 'NAME',
      value: ({ name }) => name,
    },
    { head: words.severities, cell: severityText },
    { ...createdColumn, isOptional: false },
  ];
  const end = async ({ id }: Subscription) => {
    await remove.mutateAsync({ subscriptionId: id });
    if (id === current?.id) await unsubscribeBrowser();
    onChange();
  };
  const actionsOf = (subscription: Subscription): readonly RowAction[] => [
    { label: words.turnOff, act: () => void attempt(end(subscription), words.off) },
  ];
  return (
    <SortedTable
      label={words.title}
      columns={columns}
      records={subscriptions}
      actions={{ nameOf: ({ name }) => name, of: actionsOf }}
    />
  );
}
