import {
  ALARM_OPERATORS,
  SEVERITIES,
  THRESHOLD_SOURCES,
  type WidgetThreshold,
} from '@fieldwatch/contract';
import { ActionIcon, Button, Fieldset, Group, Select, Stack } from '@mantine/core';
import { settingsOf } from '../dashboards/index.ts';
import { IconPlus, IconX } from '../icons/index.ts';
import { strings } from '../strings/index.ts';
import { useItemKeys } from '../ui/index.ts';
import { BoundedNumber } from './bounded-number.tsx';
import type { FieldProps } from './record-fields.tsx';

const words = strings.dashboards.edit;
const MAX_THRESHOLDS = 10;
const NEW: WidgetThreshold = { operator: 'GREATER_THAN', value: 0, severity: 'MEDIUM' };

/** Where the colours come from, and the widget's own thresholds if it has any. */
export function ThresholdFields({ widget, set }: FieldProps) {
  const { thresholdSource, thresholds } = settingsOf(widget);
  const { keys, remove } = useItemKeys(thresholds.length);
  const change = (next: readonly WidgetThreshold[]) => set({ thresholds: next });
  return (
    <>
      <Select
        label={words.thresholdSource}
        data={THRESHOLD_SOURCES.map((value) => ({ value, label: words.thresholdSources[value] }))}
        value={thresholdSource}
        onChange={(value) => set({ thresholdSource: value === 'ALARMS' ? undefined : value })}
        allowDeselect={false}
      />
      {thresholdSource === 'OWN' ? (
        <Stack gap="xs">
          {thresholds.map((threshold, index) => (
            <ThresholdRow
              key={keys[index]}
              number={index + 1}
              threshold={threshold}
              onChange={(next) => change(thresholds.with(index, next))}
              onRemove={() => {
                remove(index);
                change(thresholds.toSpliced(index, 1));
              }}
            />
          ))}
          {thresholds.length < MAX_THRESHOLDS ? (
            <Button
              size="xs"
              variant="default"
              leftSection={<IconPlus size={14} aria-hidden />}
              onClick={() => change([...thresholds, NEW])}
            >
              {words.addThreshold}
            </Button>
          ) : null}
        </Stack>
      ) : null}
    </>
  );
}

interface RowProps {
  readonly number: number;
  readonly threshold: WidgetThreshold;
  readonly onChange: (threshold: WidgetThreshold) => void;
  readonly onRemove: () => void;
}

function ThresholdRow({ number, threshold, onChange, onRemove }: RowProps) {
  return (
    <Fieldset legend={words.threshold(number)} p="xs">
      <Stack gap={4}>
        <Select
          label={words.condition}
          data={ALARM_OPERATORS.map((value) => ({ value, label: strings.alarms.operators[value] }))}
          value={threshold.operator}
          onChange={(operator) => operator && onChange({ ...threshold, operator })}
          allowDeselect={false}
        />
        <BoundedNumber
          label={words.limit}
          value={threshold.value}
          onChange={(value) => value !== undefined && onChange({ ...threshold, value })}
        />
        <Group gap="xs" align="flex-end" wrap="nowrap">
          <Select
            style={{ flex: 1 }}
            label={words.severity}
            data={SEVERITIES.map((value) => ({ value, label: strings.severities[value] }))}
            value={threshold.severity}
            onChange={(severity) => severity && onChange({ ...threshold, severity })}
            allowDeselect={false}
          />
          <ActionIcon
            variant="default"
            size={36}
            aria-label={words.removeItem(words.threshold(number))}
            onClick={onRemove}
          >
            <IconX size={16} aria-hidden />
          </ActionIcon>
        </Group>
      </Stack>
    </Fieldset>
  );
}
