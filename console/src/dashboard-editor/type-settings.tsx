import type { WidgetType } from '@fieldwatch/contract';
import { Text } from '@mantine/core';
import type { ComponentType } from 'react';
import { isKnown } from '../dashboards/index.ts';
import { strings } from '../strings/index.ts';
import { ImageFields, TextField, ViewFields } from './content-fields.tsx';
import {
  AlarmVariablesField,
  AssetsField,
  ColumnsField,
  EquipmentFields,
  type FieldProps,
  SeveritiesField,
  VariableField,
  VariablesField,
} from './record-fields.tsx';
import { DecimalsField, RangeField, ScaleFields, SparklineField } from './scale-fields.tsx';
import { ThresholdFields } from './threshold-fields.tsx';

/** The settings of each type of widget, in this order. */
const FIELDS: Readonly<Record<WidgetType, readonly ComponentType<FieldProps>[]>> = {
  VALUE: [VariableField, DecimalsField, SparklineField, ThresholdFields],
  GAUGE: [VariableField, DecimalsField, ScaleFields, ThresholdFields],
  CHART: [VariablesField, RangeField, ScaleFields],
  STATE_TIMELINE: [VariablesField, RangeField],
  ALARM_LIST: [SeveritiesField, AssetsField, AlarmVariablesField],
  ASSET_TABLE: [AssetsField, ColumnsField],
  MAP: [AssetsField, ViewFields],
  TEXT: [TextField],
  SPARKLINE: [VariableField, DecimalsField, RangeField],
  BAR: [VariablesField, DecimalsField, ScaleFields, ThresholdFields],
  TABLE: [VariablesField, DecimalsField],
  IMAGE: [ImageFields],
  GENERATOR: [EquipmentFields],
  TRANSFER_SWITCH: [EquipmentFields],
  TANK: [EquipmentFields],
};

/** The settings of a widget, by its type. */
export function TypeSettings(props: FieldProps) {
  const { type } = props.widget;
  if (!isKnown(type)) return <Text size="sm">{strings.dashboards.edit.unknown(type)}</Text>;
  return FIELDS[type].map((Field) => <Field key={Field.name} {...props} />);
}
