import {
  Group,
  Input,
  MultiSelect,
  NumberInput,
  SegmentedControl,
  Select,
  TextInput,
} from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { rotas, maintenance as words } from '../strings/index.ts';
import { timeZones } from '../ui/index.ts';
import { type ScheduleValues, SPANS, TIMINGS } from './schedule.ts';

interface Props<V extends ScheduleValues & Record<string, unknown>> {
  readonly form: UseFormReturnType<V>;
}

/** When a window starts and how long it lasts. */
export function ScheduleFields<V extends ScheduleValues & Record<string, unknown>>({
  form,
}: Props<V>) {
  const { timing } = form.values;
  const isRecurring = timing === 'WEEKLY' || timing === 'MONTHLY';
  return (
    <>
      <Input.Wrapper label={words.timing} labelElement="div">
        <SegmentedControl
          fullWidth
          aria-label={words.timing}
          data={TIMINGS.map((value) => ({ value, label: words.timings[value] }))}
          {...form.getInputProps('timing')}
        />
      </Input.Wrapper>
      {isRecurring ? <RecurrenceFields form={form} /> : <SpanFields form={form} />}
    </>
  );
}

function SpanFields<V extends ScheduleValues & Record<string, unknown>>({ form }: Props<V>) {
  const { timing, span } = form.values;
  const labels = timing === 'NOW' ? words.spans : { ...words.spans, morning: words.nextMorning };
  return (
    <>
      {timing === 'LATER' ? (
        <TextInput label={words.from} type="datetime-local" {...form.getInputProps('from')} />
      ) : null}
      <Input.Wrapper label={words.ends} labelElement="div">
        <SegmentedControl
          fullWidth
          aria-label={words.ends}
          data={SPANS.map((value) => ({ value, label: labels[value] }))}
          {...form.getInputProps('span')}
        />
      </Input.Wrapper>
      {span === 'until' ? (
        <TextInput label={words.to} type="datetime-local" {...form.getInputProps('to')} />
      ) : null}
    </>
  );
}

function RecurrenceFields<V extends ScheduleValues & Record<string, unknown>>({ form }: Props<V>) {
  const field = (name: string) => form.getInputProps(`recurrence.${name}`);
  return (
    <>
      {form.values.timing === 'WEEKLY' ? (
        <MultiSelect
          label={words.weekdays}
          data={Object.entries(rotas.weekdays).map(([value, label]) => ({ value, label }))}
          {...field('weekdays')}
        />
      ) : (
        <NumberInput
          label={words.monthDay}
          description={words.monthDayHint}
          min={1}
          max={31}
          {...field('monthDay')}
        />
      )}
      <Group grow align="flex-start" preventGrowOverflow={false}>
        <TextInput label={words.startTime} type="time" {...field('startTime')} />
        <NumberInput
          label={words.hours}
          min={0.25}
          max={744}
          step={1}
          decimalScale={2}
          {...field('hours')}
          error={form.errors['recurrence.durationMinutes']}
        />
        <TextInput label={words.untilDate} type="date" {...field('untilDate')} />
      </Group>
      <Select
        label={words.timeZone}
        data={timeZones()}
        searchable
        allowDeselect={false}
        limit={50}
        {...field('timeZone')}
      />
    </>
  );
}
