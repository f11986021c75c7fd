import { Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '../icons/index.ts';
import { type Reply, useRead } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { Panel, StateBadge, Timestamp } from '../ui/index.ts';

const words = strings.overview;

/** Of more rotas nobody reads the list; Administration has them all. */
const MAX_ROTAS = 8;
const EVERY_MS = 60_000;

type OnCallRow = Reply<'listOnCall'>['items'][number];

/** Who is on call now and next in each rota; absent where there is none, and last, so that nothing moves when it appears. */
export function OnCall() {
  const { data } = useRead(
    'listOnCall',
    { query: { take: MAX_ROTAS } },
    { refetchIntervalMs: EVERY_MS },
  );
  if (!data || data.count === 0) return null;
  return (
    <Panel title={words.onCall}>
      <Group gap="xl">
        {data.items.map((row) => (
          <Rota key={row.rotaId} row={row} />
        ))}
      </Group>
    </Panel>
  );
}

function Rota({ row }: { row: OnCallRow }) {
  const { rotaName, name, untilDateTime, nextName } = row;
  return (
    <div>
      <Text size="xs" c="dimmed">
        {rotaName}
      </Text>
      {name === null ? (
        <StateBadge tone="critical" icon={<IconAlertTriangle aria-hidden />}>
          {words.nobodyOnCall}
        </StateBadge>
      ) : (
        <Text fw={500}>{name}</Text>
      )}
      {untilDateTime === null ? null : (
        <Text size="xs" c="dimmed">
          {words.nextOnCall(nextName)} <Timestamp at={untilDateTime} />
        </Text>
      )}
    </div>
  );
}
