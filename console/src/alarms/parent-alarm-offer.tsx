import { Alert, Button, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type AlarmEvent, useRead } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';

const words = strings.alarms.parentOffer;

/**
 * Offers an Alarm for a Device that is offline above the one of the event. Without it, the events of
 * the Devices behind it have to report it.
 */
export function ParentAlarmOffer({ event }: { event: AlarmEvent }) {
  const { may } = useSession();
  const { deviceId, deviceVariableId, clearedDateTime } = event;
  const isOpen = clearedDateTime === null && event.raisedValue === false;
  const enabled = isOpen && may('CreateAlarmConfiguration');
  const { data: device } = useRead('retrieveDevice', { deviceId }, { enabled });
  const parentId = device?.onlineVariableId === deviceVariableId ? device.parentDeviceId : null;
  return parentId === null ? null : <Offer parentId={parentId} />;
}

function Offer({ parentId }: { parentId: string }) {
  const { data: parent } = useRead('retrieveDevice', { deviceId: parentId });
  const variableId = parent?.onlineVariableId ?? '';
  const enabled = parent !== undefined && !parent.isOnline;
  const body = { deviceVariableIds: [variableId], take: 1 };
  const { data: alarms } = useRead('searchAlarms', { body }, { enabled });
  if (!parent || !enabled || alarms?.count !== 0) return null;
  return (
    <Alert color="yellow" role="note" title={words.title(parent.name)}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{words.text}</Text>
        <Button
          variant="default"
          component={Link}
          to={`/alarms/configurations/new?deviceId=${parentId}&variableId=${variableId}`}
        >
          {words.create}
        </Button>
      </Stack>
    </Alert>
  );
}
