import { SEVERITIES } from '@fieldwatch/contract';
import {
  MultiSelect,
  NumberInput,
  Select,
  SimpleGrid,
  TagsInput,
  Text,
  Textarea,
} from '@mantine/core';
import { PRESETS_MS } from '../charts/index.ts';
import { settingsOf, type Widget } from '../dashboards/index.ts';
import { VariableSelect } from '../references/index.ts';
import { useRead } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { VariableList } from './variable-list.tsx';

const words = strings.dashboards.edit;
const MAX_COLUMNS = 20;

interface FieldProps {
  readonly widget: Widget;
  readonly set: (change: object) => void;
}

/** The settings of a widget, by its type. */
export function TypeSettings({ widget, set }: FieldProps) {
  const field = { widget, set };
  switch (widget.type) {
    case 'VALUE':
      return <VariableField {...field} />;
    case 'GAUGE':
      return (
        <>
          <VariableField {...field} />
          <ScaleFields {...field} />
        </>
      );
    case 'CHART':
      return (
        <>
          <VariablesField {...field} label={words.variables} />
          <RangeField {...field} />
          <ScaleFields {...field} />
        </>
      );
    case 'STATE_TIMELINE':
      return (
        <>
          <VariablesField {...field} label={words.variables} />
          <RangeField {...field} />
        </>
      );
    case 'ALARM_LIST':
      return (
        <>
          <SeveritiesField {...field} />
          <AssetsField {...field} />
          <VariablesField {...field} label={words.alarmVariables} />
        </>
      );
    case 'ASSET_TABLE':
      return (
        <>
          <AssetsField {...field} />
          <ColumnsField {...field} />
        </>
      );
    case 'MAP':
      return (
        <>
          <AssetsField {...field} />
          <ViewFields {...field} />
        </>
      );
    case 'TEXT':
      return <TextField {...field} />;
    default:
      return <Text size="sm">{words.unknown(widget.type)}</Text>;
  }
}

const numberOr = (value: number | string) => (value === '' ? undefined : Number(value));

function VariableField({ widget, set }: FieldProps) {
  const { variableId, decimals } = settingsOf(widget);
  return (
    <>
      <VariableSelect
        label={words.variable}
        deviceId={null}
        value={variableId}
        onChange={(id) => set({ variableId: id ?? undefined })}
      />
      <NumberInput
        label={words.decimals}
        placeholder={words.automatic}
        min={0}
        max={10}
        clampBehavior="strict"
        allowDecimal={false}
        value={decimals ?? ''}
        onChange={(value) => set({ decimals: numberOr(value) })}
      />
    </>
  );
}

function VariablesField({ widget, set, label }: FieldProps & { label: string }) {
  return (
    <VariableList
      label={label}
      ids={settingsOf(widget).variableIds}
      onChange={(variableIds) => set({ variableIds })}
    />
  );
}

function ScaleFields({ widget, set }: FieldProps) {
  const { min, max } = settingsOf(widget);
  const isChart = widget.type === 'CHART';
  return (
    <SimpleGrid cols={2} spacing="xs">
      <NumberInput
        label={words.min}
        placeholder={isChart ? words.automatic : '0'}
        value={min ?? ''}
        onChange={(value) => set({ min: numberOr(value) })}
      />
      <NumberInput
        label={words.max}
        placeholder={isChart ? words.automatic : '100'}
        value={max ?? ''}
        onChange={(value) => set({ max: numberOr(value) })}
      />
    </SimpleGrid>
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

function SeveritiesField({ widget, set }: FieldProps) {
  return (
    <MultiSelect
      label={words.severities}
      data={SEVERITIES.toReversed().map((value) => ({ value, label: strings.severities[value] }))}
      value={[...settingsOf(widget).severities]}
      onChange={(severities) => set({ severities })}
    />
  );
}

function AssetsField({ widget, set }: FieldProps) {
  const { data } = useRead('listAssets', { query: { take: 1000 } });
  return (
    <MultiSelect
      label={words.assets}
      placeholder={words.assetsHint}
      data={(data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      value={[...settingsOf(widget).assetIds]}
      onChange={(assetIds) => set({ assetIds })}
      maxValues={200}
      searchable
    />
  );
}

/** Suggests the classifications in use; others can be typed. */
function ColumnsField({ widget, set }: FieldProps) {
  const { data } = useRead('listAssets', { query: { take: 1000 } });
  const known = (data?.items ?? []).flatMap(({ variables }) =>
    variables.flatMap(({ classificationType }) => classificationType ?? []),
  );
  return (
    <TagsInput
      label={words.classifications}
      data={[...new Set(known)].sort()}
      value={[...settingsOf(widget).classificationTypes]}
      onChange={(classificationTypes) => set({ classificationTypes })}
      maxTags={MAX_COLUMNS}
    />
  );
}

function ViewFields({ widget, set }: FieldProps) {
  const fields = [
    { key: 'latitude', label: words.latitude, min: -90, max: 90 },
    { key: 'longitude', label: words.longitude, min: -180, max: 180 },
    { key: 'zoom', label: words.zoom, min: 0, max: 22 },
  ] as const;
  return (
    <>
      <Text size="xs" c="dimmed">
        {words.mapHint}
      </Text>
      <SimpleGrid cols={2} spacing="xs">
        {fields.map(({ key, label, min, max }) => (
          <NumberInput
            key={key}
            label={label}
            placeholder={words.automatic}
            min={min}
            max={max}
            clampBehavior="strict"
            value={typeof widget[key] === 'number' ? widget[key] : ''}
            onChange={(value) => set({ [key]: numberOr(value) })}
          />
        ))}
      </SimpleGrid>
    </>
  );
}

function TextField({ widget, set }: FieldProps) {
  return (
    <Textarea
      label={words.text}
      autosize
      minRows={3}
      maxLength={10_000}
      value={settingsOf(widget).text}
      onChange={({ currentTarget }) => set({ text: currentTarget.value })}
    />
  );
}
