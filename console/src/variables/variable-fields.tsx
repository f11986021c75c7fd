import { VARIABLE_TYPES, type VariableType } from '@fieldwatch/contract';
import { Select, Switch, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useRead, type Variable } from '../service/index.ts';
import { strings } from '../strings/index.ts';

const words = strings.variables.form;

export interface VariableValues extends Record<string, unknown> {
  topicPropertyPath: string;
  type: VariableType;
  name: string;
  unit: string;
  isLoggingEnabled: boolean;
  description: string;
  classificationType: string | null;
  folderId: string | null;
}

export function newVariable(initial: Partial<VariableValues> = {}): VariableValues {
  return {
    topicPropertyPath: '',
    type: 'NUMBER',
    name: '',
    unit: '',
    isLoggingEnabled: true,
    description: '',
    classificationType: null,
    folderId: null,
    ...initial,
  };
}

export function valuesOf(variable: Variable): VariableValues {
  const { unit, description } = variable;
  return newVariable({ ...variable, unit: unit ?? '', description: description ?? '' });
}

/** The body of an update; null clears a field. */
export function changeOf(values: VariableValues) {
  const { name, unit, isLoggingEnabled, description, classificationType, folderId } = values;
  return {
    name,
    isLoggingEnabled,
    classificationType,
    folderId,
    unit: unit === '' ? null : unit,
    description: description === '' ? null : description,
  };
}

/** The body of a creation; empty fields are left out. */
export function creationOf(values: VariableValues) {
  const { topicPropertyPath, type, name, isLoggingEnabled } = values;
  const { unit, description, classificationType, folderId } = changeOf(values);
  return {
    topicPropertyPath,
    type,
    name,
    isLoggingEnabled,
    description,
    folderId,
    ...(unit === null ? {} : { unit }),
    ...(classificationType === null ? {} : { classificationType }),
  };
}

interface Props {
  readonly form: UseFormReturnType<VariableValues>;
  /** Path and type cannot be changed. */
  readonly isNew: boolean;
}

export function VariableFields({ form, isNew }: Props) {
  const { data: folders } = useRead('listVariableFolders', { query: { take: 1000 } });
  return (
    <>
      <TextInput label={strings.ui.name} data-autofocus {...form.getInputProps('name')} />
      <TextInput
        label={words.path}
        description={words.pathHint}
        disabled={!isNew}
        {...form.getInputProps('topicPropertyPath')}
      />
      <Select
        label={words.type}
        data={VARIABLE_TYPES.map((value) => ({ value, label: strings.variables.types[value] }))}
        allowDeselect={false}
        disabled={!isNew}
        {...form.getInputProps('type')}
      />
      <TextInput label={words.unit} description={words.unitHint} {...form.getInputProps('unit')} />
      <ClassificationField form={form} />
      {folders && folders.count > 0 ? (
        <Select
          label={words.folder}
          data={folders.items.map(({ id, name }) => ({ value: id, label: name }))}
          clearable
          searchable
          {...form.getInputProps('folderId')}
        />
      ) : null}
      <Textarea
        label={strings.ui.description}
        autosize
        minRows={2}
        {...form.getInputProps('description')}
      />
      <Switch
        label={words.logging}
        {...form.getInputProps('isLoggingEnabled', { type: 'checkbox' })}
      />
    </>
  );
}

/** The catalogue of classifications, grouped by equipment. A selection fills in an empty unit. */
function ClassificationField({ form }: Pick<Props, 'form'>) {
  const { data } = useRead(
    'listClassifications',
    { query: { take: 1000 } },
    { staleMs: Number.POSITIVE_INFINITY },
  );
  const items = data?.items ?? [];
  const groups = [...new Set(items.map((each) => each.assetClassificationType))];
  return (
    <Select
      label={words.classification}
      description={words.classificationHint}
      data={groups.map((group) => ({
        group: strings.assets.types[group],
        items: items
          .filter((each) => each.assetClassificationType === group)
          .map(({ classificationType, name }) => ({ value: classificationType, label: name })),
      }))}
      searchable
      clearable
      limit={100}
      {...form.getInputProps('classificationType')}
      onChange={(value) => {
        form.setFieldValue('classificationType', value);
        const unit = items.find((each) => each.classificationType === value)?.unit;
        if (unit && form.values.unit === '') form.setFieldValue('unit', unit);
      }}
    />
  );
}
