import { Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type Asset, useRead } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { Loaded, Panel, SeverityBadge, StateBadge } from '../ui/index.ts';

/** The Alarms that watch Variables of this Asset, raised ones first. */
export function AssetAlarms({ asset }: { asset: Asset }) {
  const { may } = useSession();
  const isAllowed = may('ReadAlarmConfigurations');
  const query = useRead(
    'searchAlarms',
    { body: { assetIds: [asset.id], take: 100 } },
    { enabled: isAllowed, refetchIntervalMs: 30_000 },
  );
  if (!isAllowed) return null;
  return (
    <Panel title={strings.assets.alarms}>
      <Loaded query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <Text size="sm" c="dimmed">
              {strings.alarms.list.empty}
            </Text>
          ) : (
            <Stack gap="xs">
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
                      <StateBadge tone="good">{strings.alarms.list.quiet}</StateBadge>
                    )}
                  </Group>
                ))}
            </Stack>
          )
        }
      </Loaded>
    </Panel>
  );
}
