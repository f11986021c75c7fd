import { Group, Stack, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useRead, type Variable } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { CopyIcon, Loaded, Panel, SeverityBadge, StateBadge } from '../ui/index.ts';

const words = strings.variables.page;

/** The Alarms that watch it. */
export function VariableAlarms({ variable }: { variable: Variable }) {
  const { may } = useSession();
  const isAllowed = may('ReadAlarmConfigurations');
  const query = useRead(
    'searchAlarms',
    { body: { deviceVariableIds: [variable.id], take: 100 } },
    { enabled: isAllowed },
  );
  if (!isAllowed) return null;
  return (
    <Panel title={words.alarms}>
      <Loaded query={query}>
        {({ items }) => (
          <Stack gap="xs">
            {items.length === 0 ? (
              <Text size="sm" c="dimmed">
                {words.noAlarms}
              </Text>
            ) : null}
            {items.map(({ id, name, severity, isTriggered }) => (
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
        )}
      </Loaded>
    </Panel>
  );
}

export function VariableDetails({ variable }: { variable: Variable }) {
  const { topicPropertyPath, type, isLoggingEnabled, classificationType, description, id } =
    variable;
  const rows = [
    [words.path, topicPropertyPath],
    [strings.variables.type, strings.variables.types[type]],
    [words.logging, isLoggingEnabled ? words.kept : words.notKept],
    [words.classification, classificationType ?? '–'],
    [strings.ui.description, description ?? '–'],
  ];
  return (
    <Panel
      title={words.details}
      actions={<CopyIcon value={id} label={strings.ui.copy(strings.devices.details.id)} />}
    >
      <Table variant="vertical" layout="auto" aria-label={words.details}>
        <Table.Tbody>
          {rows.map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Th scope="row" w={120}>
                {name}
              </Table.Th>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Panel>
  );
}
