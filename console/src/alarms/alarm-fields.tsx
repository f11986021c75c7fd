import { ALARM_OPERATORS, SEVERITIES, type VariableType } from '@fieldwatch/contract';
import {
  Fieldset,
  NumberInput,
  SegmentedControl,
  Select,
  Stack,
  Switch,
  TextInput,
} from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { DeviceSelect, VariableSelect } from '../references/index.ts';
import { useRead } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { type AlarmValues, isEquality, NUMBER_BOUNDS } from './alarm-values.ts';

const words = strings.alarms.form;

interface Props {
  readonly form: UseFormReturnType<AlarmValues>;
  readonly type: VariableType;
}

export function AlarmFields({ form, type }: Props) {
  return (
    <Stack gap="sm">
      <TextInput label={strings.ui.name} {...form.getInputProps('name')} />
      <Fieldset legend={words.watched}>
        <WatchedFields form={form} />
      </Fieldset>
      <Fieldset legend={words.condition}>
        <Stack gap="sm">
          <Select
            label={words.operator}
            data={ALARM_OPERATORS.filter((each) => type === 'NUMBER' || isEquality(each)).map(
              (value) => ({
                value,
                label: strings.alarms.operators[value],
              }),
            )}
            allowDeselect={false}
            {...form.getInputProps('operator')}
          />
          <ThresholdField form={form} type={type} />
          <NumberInput
            label={words.delay}
            description={words.delayHint}
            allowDecimal={false}
            {...NUMBER_BOUNDS.delayProcessingSeconds}
            {...form.getInputProps('delayProcessingSeconds')}
          />
          <ClearingFields form={form} type={type} />
        </Stack>
      </Fieldset>
      <Fieldset legend={words.notifications}>
        <NotificationFields form={form} />
      </Fieldset>
      <Switch label={words.active} {...form.getInputProps('isActive', { type: 'checkbox' })} />
    </Stack>
  );
}

/** The optional settings against chattering. */
function ClearingFields({ form, type }: Props) {
  return (
    <>
      {type === 'NUMBER' ? (
        <NumberInput
          label={words.deadband}
          description={words.deadbandHint}
          {...NUMBER_BOUNDS.deadband}
          {...form.getInputProps('deadband')}
        />
      ) : null}
      <NumberInput
        label={words.clearDelay}
        description={words.clearDelayHint}
        allowDecimal={false}
        {...NUMBER_BOUNDS.clearDelaySeconds}
        {...form.getInputProps('clearDelaySeconds')}
      />
    </>
  );
}

type FormOnly = Pick<Props, 'form'>;

function WatchedFields({ form }: FormOnly) {
  const { deviceId, deviceVariableId } = form.values;
  return (
    <Stack gap="sm">
      <DeviceSelect
        label={words.device}
        value={deviceId}
        error={form.errors.deviceId}
        onChange={(next) => {
          form.setFieldValue('deviceId', next);
          if (next !== deviceId) form.setFieldValue('deviceVariableId', null);
        }}
      />
      <VariableSelect
        label={words.variable}
        deviceId={deviceId}
        value={deviceVariableId}
        error={form.errors.deviceVariableId}
        disabled={deviceId === null}
        onChange={(next) => form.setFieldValue('deviceVariableId', next)}
      />
    </Stack>
  );
}

function ThresholdField({ form, type }: Props) {
  if (type === 'STRING') {
    return <TextInput label={words.threshold} {...form.getInputProps('thresholdValueString')} />;
  }
  if (type === 'BOOLEAN') {
    return (
      <SegmentedControl
        aria-label={words.threshold}
        data={[
          { value: 'true', label: words.on },
          { value: 'false', label: words.off },
        ]}
        value={String(form.values.thresholdValueBoolean)}
        onChange={(value) => form.setFieldValue('thresholdValueBoolean', value === 'true')}
      />
    );
  }
  return (
    <NumberInput
      label={words.threshold}
      description={words.thresholdHint}
      {...NUMBER_BOUNDS.thresholdValueNumber}
      {...form.getInputProps('thresholdValueNumber')}
    />
  );
}

function NotificationFields({ form }: FormOnly) {
  const { data: groups } = useRead('listAlarmGroups', { query: { take: 1000 } });
  return (
    <Stack gap="sm">
      <Select
        label={strings.alarms.severity}
        data={SEVERITIES.toReversed().map((value) => ({ value, label: strings.severities[value] }))}
        allowDeselect={false}
        {...form.getInputProps('severity')}
      />
      <Select
        label={words.group}
        placeholder={words.noGroup}
        data={(groups?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        clearable
        {...form.getInputProps('alarmGroupId')}
      />
      <Switch
        label={words.acknowledgeable}
        {...form.getInputProps('isAcknowledgeable', { type: 'checkbox' })}
      />
    </Stack>
  );
}
