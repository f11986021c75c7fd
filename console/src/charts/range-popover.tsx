import { Button, Group, Popover, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { IconCalendar } from '../icons/index.ts';
import { localText, localTime, nowMs } from '../runtime/index.ts';
import { strings } from '../strings/index.ts';
import { timeZone } from '../ui/index.ts';
import { CALENDAR_PERIODS, isPreset, type Preset } from './moving-range.ts';
import type { Range, RangeChoice } from './range.ts';
import { movingText, rangeText } from './range-text.ts';
import { typedRange } from './typed-range.ts';

interface Props {
  readonly choice: RangeChoice;
  readonly range: Range;
  readonly fallback: Preset;
  readonly onChange: (choice: RangeChoice) => void;
}

const words = strings.charts.picker;
const LENGTHS = ['15m', '6h', '12h', '2d', '14d', '90d'] as const;

/** A button with the range, which opens every way to choose another. */
export function RangePopover({ choice, range, fallback, onChange }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const isOther = choice.from !== undefined || !isPreset(choice.last ?? fallback);
  const select = (next: RangeChoice) => {
    setIsOpen(false);
    onChange(next);
  };
  return (
    <Popover
      opened={isOpen}
      onChange={setIsOpen}
      position="bottom-end"
      withinPortal
      trapFocus
      returnFocus
      shadow="md"
    >
      <Popover.Target>
        <Button
          size="xs"
          variant={isOther ? 'light' : 'subtle'}
          {...(isOther ? {} : { color: 'gray' })}
          px={isOther ? 'xs' : 8}
          aria-label={`${words.open}: ${rangeText(choice, range, fallback)}`}
          onClick={() => setIsOpen(!isOpen)}
        >
          <IconCalendar size={16} aria-hidden />
          {isOther ? (
            <Text span size="xs" ml={6}>
              {rangeText(choice, range, fallback)}
            </Text>
          ) : null}
        </Button>
      </Popover.Target>
      <Popover.Dropdown w="min(380px, calc(100vw - 24px))">
        <Stack gap="sm">
          <Typed onSelect={select} />
          <Fields key={`${range.startMs} ${range.endMs}`} range={range} onSelect={select} />
          <SimpleGrid cols={2} spacing={4} verticalSpacing={2}>
            {[...LENGTHS, ...CALENDAR_PERIODS].map((last) => (
              <Button
                key={last}
                size="compact-sm"
                variant={choice.last === last && choice.from === undefined ? 'light' : 'subtle'}
                color="gray"
                justify="flex-start"
                onClick={() => select({ last })}
              >
                {movingText(last)}
              </Button>
            ))}
          </SimpleGrid>
          <Text size="xs" c="dimmed">
            {words.zone(timeZone)}
          </Text>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

interface PartProps {
  readonly onSelect: (choice: RangeChoice) => void;
}

function Typed({ onSelect }: PartProps) {
  const [text, setText] = useState('');
  const [isWrong, setIsWrong] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const choice = typedRange(text, nowMs());
    setIsWrong(choice === null);
    if (choice) onSelect(choice);
  };
  return (
    <form onSubmit={submit}>
      <TextInput
        label={words.typed}
        placeholder={words.typedHint}
        value={text}
        error={isWrong ? words.typedWrong : null}
        data-autofocus
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          setIsWrong(false);
        }}
      />
    </form>
  );
}

function Fields({ range, onSelect }: PartProps & { readonly range: Range }) {
  const [from, setFrom] = useState(localText(range.startMs));
  const [to, setTo] = useState(localText(range.endMs));
  const [start, end] = [localTime(from), localTime(to)];
  const isOrdered = start !== null && end !== null && start < end;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isOrdered) onSelect({ from: start, to: end });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap={6}>
        <TextInput
          type="datetime-local"
          label={words.from}
          value={from}
          onChange={({ currentTarget }) => setFrom(currentTarget.value)}
        />
        <TextInput
          type="datetime-local"
          label={words.to}
          value={to}
          error={isOrdered ? null : words.wrongOrder}
          onChange={({ currentTarget }) => setTo(currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button type="submit" size="xs" disabled={!isOrdered}>
            {words.apply}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
