import { Button, Group, NumberInput, Popover, Stack, Switch, Text } from '@mantine/core';
import type { ChartView } from '../charts/index.ts';
import { IconSettings } from '../icons/index.ts';
import type { Variable } from '../service/index.ts';
import { strings } from '../strings/index.ts';

const words = strings.charts.scale;

interface Props {
  readonly view: ChartView;
  readonly variables: readonly Variable[];
  readonly onChange: (view: ChartView) => void;
}

const limitOf = (value: string | number) => (typeof value === 'number' ? value : undefined);

/** Where the value axes begin and end, and whether they are logarithmic. */
export function ScaleMenu({ view, variables, onChange }: Props) {
  const { zero = false, log = false, min, max } = view;
  const isOther = zero || log || min !== undefined || max !== undefined;
  const unit = variables.find(({ type }) => type === 'NUMBER')?.unit ?? words.plain;
  return (
    <Popover position="bottom-end" withinPortal trapFocus returnFocus shadow="md">
      <Popover.Target>
        <Button
          size="xs"
          px={8}
          variant={isOther ? 'light' : 'subtle'}
          {...(isOther ? {} : { color: 'gray' })}
          aria-label={words.title}
          title={words.title}
        >
          <IconSettings size={16} aria-hidden />
        </Button>
      </Popover.Target>
      <Popover.Dropdown w={280}>
        <Stack gap="sm">
          <Switch
            label={words.zero}
            checked={zero}
            disabled={log}
            onChange={() => onChange({ ...view, zero: zero ? undefined : true })}
          />
          <Switch
            label={words.log}
            checked={log}
            onChange={() => onChange({ ...view, log: log ? undefined : true })}
          />
          <Group grow gap="xs">
            <NumberInput
              size="xs"
              label={words.min}
              value={min ?? ''}
              onChange={(value) => onChange({ ...view, min: limitOf(value) })}
            />
            <NumberInput
              size="xs"
              label={words.max}
              value={max ?? ''}
              onChange={(value) => onChange({ ...view, max: limitOf(value) })}
            />
          </Group>
          <Text size="xs" c="dimmed">
            {words.fixedHint(unit)}
          </Text>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
