import { WEEKDAYS, type Weekday } from '@fieldwatch/contract';
import { ActionIcon, Button, Select, Stack, Text, TextInput } from '@mantine/core';
import { IconX } from '../icons/index.ts';
import { rotas as words } from '../strings/index.ts';
import { useFormList } from '../ui/index.ts';
import classes from './rota-hours.module.css';
import type { LayerProps } from './rota-values.ts';

/** A further day has the times of the day before. */
function nextHours(hours: LayerProps['layer']['hours']): (typeof hours)[number] {
  const { weekday, from, to } = hours.at(-1) ?? { weekday: 'SUNDAY', from: '08:00', to: '17:00' };
  const next = WEEKDAYS[(WEEKDAYS.indexOf(weekday) + 1) % WEEKDAYS.length];
  return { weekday: next ?? 'MONDAY', from, to };
}

/** The hours of the week in which a layer applies; always without any. */
export function LayerHours({ form, layer, index }: LayerProps) {
  const path = `layers.${index}.hours`;
  const list = useFormList(form, path, layer.hours.length);
  return (
    <Stack gap={8} className={classes.list ?? ''}>
      <Text size="sm" fw={500}>
        {words.hours}
      </Text>
      {layer.hours.length === 0 ? (
        <Text size="sm" c="dimmed">
          {words.always}
        </Text>
      ) : null}
      {list.keys.map((key, row) => (
        <div key={key} className={classes.hours}>
          <Select
            aria-label={words.day(row + 1)}
            allowDeselect={false}
            data={WEEKDAYS.map((value: Weekday) => ({ value, label: words.weekdays[value] }))}
            {...form.getInputProps(`${path}.${row}.weekday`)}
          />
          <TextInput
            aria-label={words.hoursFrom(row + 1)}
            {...form.getInputProps(`${path}.${row}.from`)}
          />
          <TextInput
            aria-label={words.hoursTo(row + 1)}
            {...form.getInputProps(`${path}.${row}.to`)}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size={36}
            aria-label={words.removeHours(row + 1)}
            onClick={() => list.remove(row)}
          >
            <IconX size={16} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      <Button
        variant="subtle"
        size="compact-sm"
        style={{ alignSelf: 'flex-start' }}
        onClick={() => list.insert(nextHours(layer.hours))}
      >
        {words.addHours}
      </Button>
    </Stack>
  );
}
