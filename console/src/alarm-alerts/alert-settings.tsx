import { SEVERITIES, type Severity } from '@fieldwatch/contract';
import { Button, Checkbox, Popover, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { IconBell, IconBellRinging, IconVolume } from '../icons/index.ts';
import { strings } from '../strings/index.ts';
import { notifyFailure, SeverityBadge } from '../ui/index.ts';
import { type AlertKind, useAlertSettings, withSeverity } from './settings.ts';
import { playAlarmSound } from './sound.ts';

const words = strings.alarmAlerts;
const KINDS: readonly AlertKind[] = ['sound', 'notification'];
const icon = { size: 16, 'aria-hidden': true } as const;

type PermissionState = NotificationPermission | 'unsupported';

function currentPermission(): PermissionState {
  return 'Notification' in window ? Notification.permission : 'unsupported';
}

/** Which alarms sound and show a notification in this browser. */
export function AlertSettings() {
  const [{ sound, notification }] = useAlertSettings();
  const isOn = sound.length + notification.length > 0;
  return (
    <Popover position="bottom-end" trapFocus returnFocus withinPortal>
      <Popover.Target>
        <Button
          variant="default"
          leftSection={isOn ? <IconBellRinging {...icon} /> : <IconBell {...icon} />}
        >
          {words.button}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={words.title}>
        <SettingsForm />
      </Popover.Dropdown>
    </Popover>
  );
}

function SettingsForm() {
  const [settings, change] = useAlertSettings();
  const [permission, setPermission] = useState(currentPermission);
  const set = async (kind: AlertKind, severity: Severity, isOn: boolean) => {
    change(withSeverity(settings, kind, severity, isOn));
    // The browser asks the user, so this is only done on a click.
    if (kind === 'notification' && isOn && permission === 'default')
      setPermission(await Notification.requestPermission());
  };
  const isBlocked = permission === 'denied' || permission === 'unsupported';
  return (
    <Stack gap="xs" maw={320}>
      <Text size="sm" c="dimmed">
        {words.about}
      </Text>
      <Table aria-label={words.title} verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{strings.alarms.severity}</Table.Th>
            {KINDS.map((kind) => (
              <Table.Th key={kind} scope="col">
                {words[kind]}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {SEVERITIES.toReversed().map((severity) => (
            <Table.Tr key={severity}>
              <Table.Td>
                <SeverityBadge severity={severity} />
              </Table.Td>
              {KINDS.map((kind) => (
                <Table.Td key={kind}>
                  <Checkbox
                    aria-label={words.on(words[kind], strings.severities[severity])}
                    checked={settings[kind].includes(severity)}
                    disabled={kind === 'notification' && permission === 'unsupported'}
                    onChange={({ currentTarget }) =>
                      void set(kind, severity, currentTarget.checked)
                    }
                  />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {isBlocked ? (
        <Text size="sm">{permission === 'denied' ? words.denied : words.unsupported}</Text>
      ) : null}
      <Button
        variant="default"
        size="xs"
        leftSection={<IconVolume {...icon} />}
        onClick={() => void playAlarmSound().catch(notifyFailure)}
      >
        {words.test}
      </Button>
      <Text size="xs" c="dimmed">
        {words.soundBlocked}
      </Text>
    </Stack>
  );
}
