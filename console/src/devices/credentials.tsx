import { Alert, Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { IconAlertTriangle, IconKey } from '../icons/index.ts';
import { type Device, type DeviceCredentials, useRead } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { ConfirmOperation, CopyCommand, CopyField } from '../ui/index.ts';
import { publishCommands } from './commands.ts';

const words = strings.devices;

interface ShownProps {
  readonly deviceId: string;
  readonly credentials: DeviceCredentials;
}

/** New credentials with complete commands. */
export function CredentialsShown({ deviceId, credentials }: ShownProps) {
  const { username, password, topic } = credentials;
  return (
    <Stack gap="sm">
      <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />}>
        {words.credentials.once}
      </Alert>
      <CopyField label={words.credentials.username} value={username} />
      <CopyField label={words.credentials.password} value={password} />
      <CopyField label={words.credentials.topic} value={topic} />
      <Commands deviceId={deviceId} topic={topic} password={password} />
    </Stack>
  );
}

function Commands(props: { deviceId: string; topic: string; password: string | null }) {
  const { organization } = useSession();
  const { data } = useRead('retrievePublishing', {}, { staleMs: Number.POSITIVE_INFINITY });
  const { mqtt, http } = publishCommands({
    ...props,
    mqtt: data ? { port: data.mqttPort, isEncrypted: data.isMqttEncrypted } : null,
    host: window.location.hostname,
    origin: window.location.origin,
    organizationId: organization.id,
  });
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed">
        {props.password === null ? words.publish.hint : words.publish.works}
      </Text>
      <CopyCommand label={words.publish.mqtt} command={mqtt} />
      <CopyCommand label={words.publish.http} command={http} />
    </Stack>
  );
}

/** Commands that publish as the Device, and the rotation of its password. */
export function PublishTab({ device }: { device: Device }) {
  const { organization, may } = useSession();
  const [isAsking, setIsAsking] = useState(false);
  const [issued, setIssued] = useState<DeviceCredentials | null>(null);
  const topic = `fieldwatch/${organization.id}/${device.id}`;
  if (issued) return <CredentialsShown deviceId={device.id} credentials={issued} />;
  return (
    <Stack gap="sm" align="stretch">
      <CopyField label={words.credentials.username} value={device.id} />
      <CopyField label={words.credentials.topic} value={topic} />
      <Commands deviceId={device.id} topic={topic} password={null} />
      {may('UpdateDevice') ? (
        <>
          <Text size="sm" c="dimmed">
            {words.credentials.about}
          </Text>
          <Button
            variant="default"
            leftSection={<IconKey size={16} aria-hidden />}
            onClick={() => setIsAsking(true)}
            style={{ alignSelf: 'flex-start' }}
          >
            {words.credentials.rotate}
          </Button>
        </>
      ) : null}
      <ConfirmOperation
        operation="rotateDeviceCredentials"
        input={{ deviceId: device.id }}
        name={device.name}
        title={words.credentials.rotateTitle}
        action={words.credentials.rotate}
        done={null}
        onDone={setIssued}
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
      >
        {words.credentials.rotateText(device.name)}
      </ConfirmOperation>
    </Stack>
  );
}
