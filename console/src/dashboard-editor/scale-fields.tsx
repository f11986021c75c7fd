import { Select, SimpleGrid, Switch } from '@mantine/core';
import { PRESETS_MS } from '../charts/index.ts';
import { settingsOf } from '../dashboards/index.ts';
import { strings } from '../strings/index.ts';
import { BoundedNumber } from './bounded-number.tsx';
import type { FieldProps } from './record-fields.tsx';

const words = strings.dashboards.edit;

export function DecimalsField({ widget, set }: FieldProps) {
  return (
    <BoundedNumber
      label={words.decimals}
      placeholder={words.automatic}
      min={0}
      max={10}
      isInteger
      isOptional
      value={settingsOf(widget).decimals}
      onChange={(decimals) => set({ decimals })}
    />
  );
}

export function ScaleFields({ widget, set }: FieldProps) {
  const { min, max } = settingsOf(widget);
  const isChart = widget.type === 'CHART';
  return (
    <SimpleGrid cols={2} spacing="xs">
      <BoundedNumber
        label={words.min}
        placeholder={isChart ? words.automatic : '0'}
        isOptional
        value={min}
        onChange={(next) => set({ min: next })}
      />
      <BoundedNumber
        label={words.max}
        placeholder={isChart ? words.automatic : '100'}
        isOptional
        value={max}
        onChange={(next) => set({ max: next })}
      />
    </SimpleGrid>
  );
}

const AS_BOARD = 'board';

/** The presets, and a stored range that is none of them. */
export function rangeOptions(rangeMs: number | undefined) {
  const presets = Object.entries(PRESETS_MS) as [keyof typeof PRESETS_MS, number][];
  const options = presets.map(([preset, ms]) => ({
    value: String(ms / 1_000),
    label: strings.charts.presets[preset],
  }));
  const own = rangeMs === undefined ? null : String(rangeMs / 1_000);
  if (own === null || options.some(({ value }) => value === own)) return options;
  return [...options, { value: own, label: words.seconds(own) }];
}

export function RangeField({ widget, set }: FieldProps) {
  const { rangeMs } = settingsOf(widget);
  return (
    <Select
      label={words.range}
      data={[{ value: AS_BOARD, label: words.asBoard }, ...rangeOptions(rangeMs)]}
      value={rangeMs === undefined ? AS_BOARD : String(rangeMs / 1_000)}
      onChange={(value) => set({ rangeSeconds: value === AS_BOARD ? undefined : Number(value) })}
      allowDeselect={false}
    />
  );
}

export function SparklineField(props: FieldProps) {
  const { hasSparkline } = settingsOf(props.widget);
  return (
    <>
      <Switch
        label={words.sparkline}
        checked={hasSparkline}
        onChange={({ currentTarget }) =>
          props.set({ sparkline: currentTarget.checked ? true : undefined })
        }
      />
      {hasSparkline ? <RangeField {...props} /> : null}
    </>
  );
}
