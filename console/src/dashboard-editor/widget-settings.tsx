import { SEVERITIES } from '@fieldwatch/contract';
import {
  Button,
  Fieldset,
  Group,
  MultiSelect,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { IconCopy, IconTrash } from '@tabler/icons-react';
import { PRESETS_MS } from '../charts/index.ts';
import { COLUMNS, settingsOf, type Widget, withChange } from '../dashboards/index.ts';
import { useRead } from '../data/index.ts';
import { VariableSelect } from '../references/index.ts';
import { strings } from '../strings/index.ts';
import { ManyVariables } from './many-variables.tsx';

const words = strings.dashboards.edit;

interface Given {
  readonly widget: Widget | null;
  readonly widgets: readonly Widget[];
  readonly onChange: (widgets: Widget[]) => void;
  readonly onDuplicate: (widget: Widget) => void;
}

export function WidgetSettings({ widget, widgets, onChange, onDuplicate }: Given) {
  if (!widget) {
    return (
      <Text size="sm" c="dimmed">
        {words.choose}
      </Text>
    );
  }
  const set = (change: object) => onChange(withChange(widgets, widget.id, change));
  return (
    <Stack gap="sm">
      <TextInput
        label={words.titleField}
        maxLength={100}
        value={widget.title ?? ''}
        onChange={({ currentTarget }) => set({ title: currentTarget.value })}
      />
      <TypeSettings key={widget.id} widget={widget} set={set} />
      <PlaceFields widget={widget} set={set} />
      <Group gap="xs">
        <Button
          size="xs"
          variant="default"
          leftSection={<IconCopy size={14} aria-hidden />}
          onClick={() => onDuplicate(widget)}
        >
          {words.duplicate}
        </Button>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconTrash size={14} aria-hidden />}
          onClick={() => onChange(widgets.filter(({ id }) => id !== widget.id))}
        >
          {words.remove}
        </Button>
      </Group>
    </Stack>
  );
}

interface FieldProps {
  readonly widget: Widget;
  readonly set: (change: object) => void;
}

function TypeSettings({ widget, set }: FieldProps) {
  const settings = settingsOf(widget);
  switch (widget.type) {
    case 'VALUE':
    case 'GAUGE':
      return <OneVariableFields widget={widget} set={set} />;
    case 'CHART':
    case 'STATE_TIMELINE':
      return (
        <>
          <ManyVariables
            ids={settings.variableIds}
            onChange={(variableIds) => set({ variableIds })}
          />
          <RangeField widget={widget} set={set} />
        </>
      );
    case 'ALARM_LIST':
      return (
        <>
          <MultiSelect
            label={words.severities}
            data={SEVERITIES.toReversed().map((value) => ({
              value,
              label: strings.severities[value],
            }))}
            value={[...settings.severities]}
            onChange={(severities) => set({ severities })}
          />
          <AssetsField widget={widget} set={set} />
        </>
      );
    case 'ASSET_TABLE':
    case 'MAP':
      return <AssetsField widget={widget} set={set} />;
    case 'TEXT':
      return (
        <Textarea
          label={words.text}
          autosize
          minRows={3}
          maxLength={10_000}
          value={settings.text}
          onChange={({ currentTarget }) => set({ text: currentTarget.value })}
        />
      );
    default:
      return null;
  }
}

const numberOr = (value: number | string) => (value === '' ? undefined : Number(value));

function OneVariableFields({ widget, set }: FieldProps) {
  const { variableId, decimals, min, max } = settingsOf(widget);
  return (
    <>
      <VariableSelect
        label={words.variable}
        deviceId={null}
        value={variableId}
        onChange={(id) => set({ variableId: id ?? undefined })}
      />
      {widget.type === 'GAUGE' ? (
        <SimpleGrid cols={2} spacing="xs">
          <NumberInput
            label={words.min}
            value={min}
            onChange={(value) => set({ min: numberOr(value) })}
          />
          <NumberInput
            label={words.max}
            value={max}
            onChange={(value) => set({ max: numberOr(value) })}
          />
        </SimpleGrid>
      ) : null}
      <NumberInput
        label={words.decimals}
        min={0}
        max={10}
        value={decimals ?? ''}
        onChange={(value) => set({ decimals: numberOr(value) })}
      />
    </>
  );
}

function RangeField({ widget, set }: FieldProps) {
  const presets = Object.entries(PRESETS_MS) as [keyof typeof PRESETS_MS, number][];
  return (
    <Select
      label={words.range}
      data={presets.map(([preset, ms]) => ({
        value: String(ms / 1000),
        label: strings.charts.presets[preset],
      }))}
      value={String(settingsOf(widget).rangeMs / 1000)}
      onChange={(seconds) => set({ rangeSeconds: Number(seconds) })}
      allowDeselect={false}
    />
  );
}

function AssetsField({ widget, set }: FieldProps) {
  const { data } = useRead('listAssets', { query: { take: 1000 } });
  return (
    <MultiSelect
      label={words.assets}
      data={(data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      value={[...settingsOf(widget).assetIds]}
      onChange={(assetIds) => set({ assetIds })}
      searchable
    />
  );
}

/** For who cannot or does not want to drag. */
function PlaceFields({ widget, set }: FieldProps) {
  const { x, y, w, h } = widget;
  const fields = [
    { label: words.x, key: 'x', value: x, min: 0, max: COLUMNS - w },
    { label: words.y, key: 'y', value: y, min: 0, max: 10_000 },
    { label: words.w, key: 'w', value: w, min: 1, max: COLUMNS - x },
    { label: words.h, key: 'h', value: h, min: 1, max: 100 },
  ];
  return (
    <Fieldset legend={words.position}>
      <SimpleGrid cols={2} spacing="xs">
        {fields.map(({ label, key, value, min, max }) => (
          <NumberInput
            key={key}
            label={label}
            value={value}
            min={min}
            max={max}
            clampBehavior="strict"
            allowDecimal={false}
            onChange={(next) => typeof next === 'number' && set({ [key]: next })}
          />
        ))}
      </SimpleGrid>
    </Fieldset>
  );
}
