import { SEVERITIES } from '@fieldwatch/contract';
import { Autocomplete, MultiSelect, Select, TagsInput, Text } from '@mantine/core';
import { settingsOf, type Widget } from '../dashboards/index.ts';
import { useLocations, VariableSelect } from '../references/index.ts';
import { useRead } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { VariableList } from './variable-list.tsx';

const words = strings.dashboards.edit;
const MAX_COLUMNS = 20;
const MAX_RECORDS = 1_000;

export interface FieldProps {
  readonly widget: Widget;
  readonly set: (change: object) => void;
  /** Whether the board is a template, whose widgets name classifications. */
  readonly isTemplate: boolean;
}

/** The classifications of the catalogue; others can be typed. */
function useClassifications(): readonly string[] {
  const { data } = useRead(
    'listClassifications',
    { query: { take: MAX_RECORDS } },
    { staleMs: 5 * 60_000 },
  );
  return (data?.items ?? []).map(({ classificationType }) => classificationType);
}

export function VariableField({ widget, set, isTemplate }: FieldProps) {
  const { variableId, classificationType } = settingsOf(widget);
  const classifications = useClassifications();
  return (
    <>
      {isTemplate ? (
        <Autocomplete
          label={words.classification}
          description={words.classificationHint}
          data={[...classifications]}
          limit={50}
          value={classificationType ?? ''}
          onChange={(next) => set({ classificationType: next || undefined })}
        />
      ) : null}
      <VariableSelect
        label={isTemplate ? words.fixedVariable : words.variable}
        deviceId={null}
        value={variableId}
        onChange={(id) => set({ variableId: id ?? undefined })}
      />
    </>
  );
}

export function VariablesField({ widget, set, isTemplate }: FieldProps) {
  const { variableIds, classificationTypes } = settingsOf(widget);
  const classifications = useClassifications();
  return (
    <>
      {isTemplate ? (
        <TagsInput
          label={words.classifications}
          description={words.classificationHint}
          data={[...classifications]}
          limit={50}
          value={[...classificationTypes]}
          onChange={(next) => set({ classificationTypes: next.length > 0 ? next : undefined })}
          maxTags={MAX_COLUMNS}
        />
      ) : null}
      <VariableList
        label={isTemplate ? words.fixedVariables : words.variables}
        ids={variableIds}
        onChange={(ids) => set({ variableIds: ids })}
      />
    </>
  );
}

export function AlarmVariablesField({ widget, set }: FieldProps) {
  return (
    <VariableList
      label={words.alarmVariables}
      ids={settingsOf(widget).variableIds}
      onChange={(variableIds) => set({ variableIds })}
    />
  );
}

export function SeveritiesField({ widget, set }: FieldProps) {
  return (
    <MultiSelect
      label={words.severities}
      data={SEVERITIES.toReversed().map((value) => ({ value, label: strings.severities[value] }))}
      value={[...settingsOf(widget).severities]}
      onChange={(severities) => set({ severities })}
    />
  );
}

function useAssetOptions() {
  const { data } = useRead('listAssets', { query: { take: MAX_RECORDS } });
  return (data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }));
}

export function AssetsField({ widget, set, isTemplate }: FieldProps) {
  return (
    <MultiSelect
      label={words.assets}
      placeholder={isTemplate ? words.templateAssets : words.assetsHint}
      data={useAssetOptions()}
      value={[...settingsOf(widget).assetIds]}
      onChange={(assetIds) => set({ assetIds })}
      maxValues={200}
      limit={100}
      searchable
    />
  );
}

/** Suggests the classifications in use; others can be typed. */
export function ColumnsField({ widget, set }: FieldProps) {
  const { data } = useRead('listAssets', { query: { take: MAX_RECORDS } });
  const known = (data?.items ?? []).flatMap(({ variables }) =>
    variables.flatMap(({ classificationType }) => classificationType ?? []),
  );
  return (
    <TagsInput
      label={words.columns}
      data={[...new Set(known)].sort()}
      value={[...settingsOf(widget).classificationTypes]}
      onChange={(classificationTypes) => set({ classificationTypes })}
      maxTags={MAX_COLUMNS}
    />
  );
}

/** The equipment of a state widget: an Asset, or what is found at a site. */
export function EquipmentFields({ widget, set, isTemplate }: FieldProps) {
  const { assetId, locationId } = settingsOf(widget);
  const { data } = useLocations();
  const sites = (data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <>
      <Text size="xs" c="dimmed">
        {isTemplate ? words.templateEquipment : words.equipment}
      </Text>
      <Select
        label={words.asset}
        data={useAssetOptions()}
        value={assetId}
        onChange={(id) => set({ assetId: id ?? undefined })}
        limit={100}
        searchable
        clearable
      />
      <Select
        label={words.site}
        data={sites}
        value={locationId}
        onChange={(id) => set({ locationId: id ?? undefined })}
        limit={100}
        searchable
        clearable
      />
    </>
  );
}
