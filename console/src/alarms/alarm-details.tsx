import { Grid } from '@mantine/core';
import { type ReactNode, useMemo } from 'react';
import { conditionText, thresholdOf } from '../alarm-events/index.ts';
import { DeviceLink, VariableLink } from '../references/index.ts';
import { type Alarm, useRead, type Variable } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { Details, duration, Panel, readingText, SeverityBadge } from '../ui/index.ts';
import { valuesOf } from './alarm-values.ts';
import { useAlarmGroups } from './configuration-columns.tsx';
import { Preview } from './preview.tsx';

const words = strings.alarms;

/** The settings of an Alarm that the user may not change, beside their backtest. */
export function AlarmView({ alarm }: { alarm: Alarm }) {
  const { data: variable } = useRead('retrieveVariable', { variableId: alarm.deviceVariableId });
  const values = useMemo(() => valuesOf(alarm), [alarm]);
  return (
    <Grid gap="md">
      <Grid.Col span={{ base: 12, md: 5, lg: 4 }}>
        <AlarmDetails alarm={alarm} variable={variable} />
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 7, lg: 8 }}>
        <Preview variable={variable} values={values} />
      </Grid.Col>
    </Grid>
  );
}

interface Props {
  readonly alarm: Alarm;
  readonly variable: Variable | undefined;
}

function AlarmDetails({ alarm, variable }: Props) {
  const { data: groups } = useAlarmGroups();
  const { deviceId, deviceVariableId, operator, deadband = null, alarmGroupId } = alarm;
  const unit = variable?.unit ?? null;
  const group = groups?.items.find(({ id }) => id === alarmGroupId);
  const rows: readonly (readonly [string, ReactNode])[] = [
    [words.form.device, <DeviceLink key="device" id={deviceId} />],
    [words.form.variable, <VariableLink key="variable" id={deviceVariableId} />],
    [words.condition, conditionText(operator, thresholdOf(alarm), unit)],
    [words.details.delay, spanText(alarm.delayProcessingSeconds)],
    [words.details.deadband, deadband === null ? '–' : readingText(deadband, unit)],
    [words.details.clearDelay, spanText(alarm.clearDelaySeconds)],
    [words.severity, <SeverityBadge key="severity" severity={alarm.severity} />],
    [words.form.group, alarmGroupId === null ? words.form.noGroup : (group?.name ?? '…')],
    [words.form.acknowledgeable, yesOrNo(alarm.isAcknowledgeable)],
    [words.form.active, yesOrNo(alarm.isActive)],
  ];
  return (
    <Panel title={words.details.title}>
      <Details label={words.details.title} rows={rows} />
    </Panel>
  );
}

const spanText = (seconds: number | null | undefined) =>
  seconds ? duration(seconds * 1_000) : '–';

const yesOrNo = (is: boolean) => (is ? strings.ui.yes : strings.ui.no);
