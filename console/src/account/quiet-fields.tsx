import { QUIET_SEVERITIES } from '@fieldwatch/contract';
import {
  ActionIcon,
  Button,
  Group,
  MultiSelect,
  Select,
  Switch,
  Text,
  TextInput,
} from '@mantine/core';
import { IconX } from '../icons/index.ts';
import { rotas, strings, rules as words } from '../strings/index.ts';
import { timeZones, useFormList } from '../ui/index.ts';
import { NIGHT, type RulesForm } from './rule-values.ts';

/** When messages wait, and up to which severity. */
export function QuietFields({ form }: { form: RulesForm }) {
  const { isQuiet, quietHours } = form.values;
  const periods = useFormList(form, 'quietHours.periods', quietHours.periods.length);
  const error = hoursError(form.errors);
  return (
    <>
      <Switch
        label={words.isQuiet}
        description={words.criticalNote}
        {...form.getInputProps('isQuiet', { type: 'checkbox' })}
      />
      {isQuiet ? (
        <>
          {periods.keys.map((key, index) => (
            <PeriodFields
              key={key}
              form={form}
              index={index}
              onRemove={() => periods.remove(index)}
            />
          ))}
          {error ? (
            <Text size="sm" c="red" role="alert">
              {error}
            </Text>
          ) : null}
          <Button
            variant="subtle"
            size="compact-sm"
            style={{ alignSelf: 'flex-start' }}
            onClick={() => periods.insert({ ...NIGHT, weekdays: [] })}
          >
            {words.addHours}
          </Button>
          <Group grow align="flex-start">
            <Select
              label={words.upTo}
              allowDeselect={false}
              data={QUIET_SEVERITIES.map((value) => ({ value, label: strings.severities[value] }))}
              {...form.getInputProps('quietHours.upToSeverity')}
            />
            <Select
              label={words.timeZone}
              data={timeZones()}
              searchable
              allowDeselect={false}
              limit={50}
              {...form.getInputProps('quietHours.timeZone')}
            />
          </Group>
        </>
      ) : null}
    </>
  );
}

/** The server counts days one by one, so its path names no field here. */
function hoursError(errors: Readonly<Record<string, unknown>>): string | undefined {
  const [, message] =
    Object.entries(errors).find(([path]) => path.startsWith('quietHours.hours')) ?? [];
  return typeof message === 'string' ? message : undefined;
}

interface PeriodProps {
  readonly form: RulesForm;
  readonly index: number;
  readonly onRemove: () => void;
}

function PeriodFields({ form, index, onRemove }: PeriodProps) {
  const field = (name: string) => form.getInputProps(`quietHours.periods.${index}.${name}`);
  return (
    <Group gap="xs" align="flex-end">
      <MultiSelect
        label={words.weekdays}
        style={{ flex: '1 1 240px' }}
        data={Object.entries(rotas.weekdays).map(([value, label]) => ({ value, label }))}
        {...field('weekdays')}
      />
      <TextInput type="time" label={words.from} {...field('from')} />
      <TextInput type="time" label={words.to} {...field('to')} />
      <ActionIcon
        variant="subtle"
        color="gray"
        size={36}
        aria-label={words.removeHours(index + 1)}
        onClick={onRemove}
      >
        <IconX size={16} aria-hidden />
      </ActionIcon>
    </Group>
  );
}
