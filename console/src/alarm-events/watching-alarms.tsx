import { Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type Input, useRead } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { Loaded, Panel, SeverityBadge, StateBadge } from '../ui/index.ts';

const MAX_ALARMS = 100;

interface Watched {
  /** The search that selects the Alarms. */
  readonly search: NonNullable<Input<'searchAlarms'>['body']>;
  readonly title: string;
  readonly none: string;
}

/** The Alarms of a search, raised ones first. */
export function WatchingAlarms({ search, title, none }: Watched) {
  const { may } = useSession();
  const isAllowed = may('ReadAlarmConfigurations');
  const query = useRead(
    'searchAlarms',
    { body: { ...search, take: MAX_ALARMS } },
    { enabled: isAllowed, refetchIntervalMs: 30_000 },
  );
  if (!isAllowed) return null;
  return (
    <Panel title={title}>
      <Loaded query={query}>
        {({ items }) => (
          <Stack gap="xs">
            {items.length === 0 ? (
              <Text size="sm" c="dimmed">
                {none}
              </Text>
            ) : null}
            {items
              .toSorted((a, b) => Number(b.isTriggered) - Number(a.isTriggered))
              .map(({ id, name, severity, isTriggered }) => (
                <Group key={id} justify="space-between" gap="xs">
                  <Link to={`/alarms/configurations/${id}`} className="linked">
                    {name}
                  </Link>
                  {isTriggered ? (
                    <SeverityBadge severity={severity} />
                  ) : (
                    <StateBadge tone="good">{strings.alarms.list.normal}</StateBadge>
                  )}
                </Group>
              ))}
          </Stack>
        )}
      </Loaded>
    </Panel>
  );
}
