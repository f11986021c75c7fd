import { Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCalendar } from '../icons/index.ts';
import { type Reply, useRead } from '../service/index.ts';
import { strings, rotas as words } from '../strings/index.ts';
import { type Column, StateBadge, Timestamp, useList } from '../ui/index.ts';
import { RecordList, useListFilters } from './record-list.tsx';
import { RotaForm } from './rota-form.tsx';

type Rota = Reply<'listRotas'>['items'][number];

const columns: readonly Column<Rota>[] = [
  { head: words.name, cell: ({ name }) => name, sortKey: 'NAME', value: ({ name }) => name },
  { head: words.onCall, cell: ({ id }) => <OnCallNow rotaId={id} /> },
  {
    head: words.timeZone,
    cell: ({ timeZone }) => <span className="whole-words">{timeZone}</span>,
    value: ({ timeZone }) => timeZone,
    isMinor: true,
  },
  {
    head: words.warnings,
    cell: ({ warnings }) => (
      <Stack gap={2} align="flex-start">
        {warnings.map(({ kind, message }) => (
          <Text key={kind} size="xs">
            {message}
          </Text>
        ))}
      </Stack>
    ),
    value: ({ warnings }) => warnings.map(({ message }) => message).join(' '),
  },
];

/** Who is on call in a rota, and who is next; nobody is hard to overlook. */
function OnCallNow({ rotaId }: { rotaId: string }) {
  const { data } = useRead('retrieveOnCall', { rotaId, query: {} });
  if (!data) return null;
  const { name, untilDateTime, nextName } = data;
  return (
    <Stack gap={2} align="flex-start">
      {name ?? (
        <StateBadge tone="critical" icon={<IconAlertTriangle aria-hidden />}>
          {words.nobody}
        </StateBadge>
      )}
      {untilDateTime === null ? null : (
        <Text size="xs" c="dimmed">
          {words.next(nextName)} <Timestamp at={untilDateTime} />
        </Text>
      )}
    </Stack>
  );
}

/** Rotas: who is on call when. */
export function Rotas() {
  const { position, inputOf, ...filters } = useListFilters();
  const list = useList({ name: 'rotas', operation: 'listRotas', inputOf, columns, ...position });
  return (
    <RecordList
      label={strings.administration.tabs.rotas}
      resource="Rota"
      words={words}
      icon={<IconCalendar />}
      list={list}
      filters={filters}
      isWide
      nameOf={({ name }) => name}
      form={(rota, close) => <RotaForm rota={rota} onClose={close} />}
      deletion="deleteRota"
      deletedBy={({ id }) => ({ rotaId: id })}
    />
  );
}
