import { MultiSelect, PasswordInput, Stack, Switch, Text, TextInput } from '@mantine/core';
import {
  IconCircleCheck,
  IconHome,
  IconPlugConnectedX,
  IconPower,
  IconRefresh,
} from '../icons/index.ts';
import { LocationLink, useLocations } from '../references/index.ts';
import { type HomeAssistantConnection, useEdited, useWrite } from '../service/index.ts';
import { strings, homeAssistant as words } from '../strings/index.ts';
import {
  type Column,
  countText,
  createdColumn,
  FormBody,
  StateBadge,
  Timestamp,
  useBulkActions,
  useList,
  useServerForm,
} from '../ui/index.ts';
import { RecordList, useListFilters } from './record-list.tsx';

/** A new connection shows its outcome without a reload. */
const REFRESH_MS = 5_000;

const LOOKS = {
  INACTIVE: { tone: 'plain', icon: <IconPower aria-hidden /> },
  CONNECTING: { tone: 'plain', icon: <IconRefresh aria-hidden /> },
  CONNECTED: { tone: 'good', icon: <IconCircleCheck aria-hidden /> },
  FAILED: { tone: 'high', icon: <IconPlugConnectedX aria-hidden /> },
} as const;

const columnsOf = (
  names: ReadonlyMap<string, string>,
): readonly Column<HomeAssistantConnection>[] => [
  { head: words.name, cell: ({ name }) => name, sortKey: 'NAME', value: ({ name }) => name },
  { head: words.url, cell: ({ url }) => url, sortKey: 'URL', value: ({ url }) => url },
  {
    head: words.locations,
    cell: ({ locationIds }) => <Locations ids={locationIds} />,
    value: ({ locationIds }) => locationIds.map((id) => names.get(id) ?? id).join(', '),
  },
  {
    head: words.state,
    cell: ({ status }) => <State status={status} />,
    sortKey: 'STATE',
    value: ({ status }) => words.states[status.state],
  },
  {
    head: words.devices,
    cell: ({ status }) => countText(status.deviceCount),
    sortKey: 'DEVICES',
    value: ({ status }) => status.deviceCount,
  },
  createdColumn,
];

function Locations({ ids }: { ids: readonly string[] }) {
  if (ids.length === 0) return words.everything;
  return ids.map((id, index) => (
    <span key={id}>
      {index === 0 ? '' : ', '}
      <LocationLink id={id} />
    </span>
  ));
}

function State({ status }: Pick<HomeAssistantConnection, 'status'>) {
  const { state, sinceDateTime, message } = status;
  const { tone, icon } = LOOKS[state];
  return (
    <Stack gap={2} align="flex-start">
      <StateBadge tone={tone} icon={icon}>
        {words.states[state]}
      </StateBadge>
      <Text size="xs" c="dimmed">
        {message ?? <Timestamp at={sinceDateTime} />}
      </Text>
    </Stack>
  );
}

/** Connections to the MQTT brokers of Home Assistant. */
export function HomeAssistant() {
  const { position, inputOf, ...filters } = useListFilters();
  const { activation } = useBulkActions();
  const { data: locations } = useLocations();
  const list = useList({
    name: 'home-assistant',
    operation: 'listHomeAssistantConnections',
    inputOf,
    columns: columnsOf(new Map(locations?.items.map(({ id, name }) => [id, name]))),
    refetchIntervalMs: REFRESH_MS,
    ...position,
  });
  return (
    <RecordList
      label={strings.administration.tabs['home-assistant']}
      resource="HomeAssistantConnection"
      words={words}
      icon={<IconHome />}
      list={list}
      filters={filters}
      isWide
      nameOf={({ name }) => name}
      form={(connection, close) => <ConnectionForm connection={connection} onClose={close} />}
      deletion="deleteHomeAssistantConnection"
      deletedBy={({ id }) => ({ connectionId: id })}
      bulkActions={activation(
        'updateHomeAssistantConnection',
        ({ id }: HomeAssistantConnection, body) => ({ connectionId: id, body }),
      )}
    />
  );
}

function valuesOf(connection: HomeAssistantConnection | null) {
  return {
    name: connection?.name ?? '',
    url: connection?.url ?? 'mqtt://',
    username: connection?.username ?? '',
    password: '',
    discoveryPrefix: connection?.discoveryPrefix ?? 'homeassistant',
    locationIds: connection?.locationIds ?? [],
    isActive: connection?.isActive ?? true,
  };
}

/** An empty password keeps the stored one; without a user name there is none. */
function bodyOf({ username, password, ...fields }: ReturnType<typeof valuesOf>) {
  if (username === '') return { ...fields, username: null, password: null };
  return { ...fields, username, ...(password === '' ? {} : { password }) };
}

interface FormProps {
  readonly connection: HomeAssistantConnection | null;
  readonly onClose: () => void;
}

function ConnectionForm({ connection, onClose }: FormProps) {
  const create = useWrite('createHomeAssistantConnection');
  const update = useWrite('updateHomeAssistantConnection');
  const locations = useLocations().data?.items ?? [];
  const serverForm = useServerForm({
    initialValues: valuesOf(connection),
    edited: useEdited(
      'retrieveHomeAssistantConnection',
      connection && { connectionId: connection.id },
      valuesOf,
    ),
    send: async (values, ifMatch) => {
      const body = bodyOf(values);
      if (connection) await update.mutateAsync({ connectionId: connection.id, body, ifMatch });
      else await create.mutateAsync({ body });
    },
    onClose,
  });
  const { form } = serverForm;
  return (
    <FormBody serverForm={serverForm}>
      <TextInput label={words.name} data-autofocus {...form.getInputProps('name')} />
      <TextInput label={words.url} description={words.urlHint} {...form.getInputProps('url')} />
      <TextInput label={words.username} autoComplete="off" {...form.getInputProps('username')} />
      <PasswordInput
        label={words.password}
        description={connection?.hasPassword ? words.passwordHint : undefined}
        autoComplete="new-password"
        {...form.getInputProps('password')}
      />
      <TextInput label={words.discoveryPrefix} {...form.getInputProps('discoveryPrefix')} />
      <MultiSelect
        label={words.locations}
        description={words.locationsHint}
        data={locations.map(({ id, name }) => ({ value: id, label: name }))}
        searchable
        {...form.getInputProps('locationIds')}
      />
      <Switch label={words.active} {...form.getInputProps('isActive', { type: 'checkbox' })} />
    </FormBody>
  );
}
