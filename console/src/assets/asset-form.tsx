import { ASSET_TYPES, type AssetType } from '@fieldwatch/contract';
import { Fieldset, NumberInput, Select, SimpleGrid, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useLocations } from '../references/index.ts';
import { type Asset, useEdited, useRead, useWrite } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { boundsErrors, FormBody, RecordDialog, useServerForm } from '../ui/index.ts';

const words = strings.assets.form;
const TEXTS = ['make', 'model', 'serialNumber', 'fuelType'] as const;
const RATINGS = ['ratedKw', 'ratedKva', 'ratedVolts', 'ratedAmps', 'ratedHz'] as const;
const RATING_BOUNDS = Object.fromEntries(
  RATINGS.map((key) => [`classificationDetails.${key}`, { min: 0 }]),
);

interface AssetValues extends Record<string, unknown> {
  name: string;
  description: string;
  classificationType: AssetType;
  classificationDetails: Record<string, unknown>;
  locationId: string | null;
  parentId: string | null;
  dashboardId: string | null;
}

function valuesOf(asset: Asset | null): AssetValues {
  return {
    name: asset?.name ?? '',
    description: asset?.description ?? '',
    classificationType: asset?.classificationType ?? 'GENERIC',
    classificationDetails: { ...asset?.classificationDetails },
    locationId: asset?.locationId ?? null,
    parentId: asset?.parentId ?? null,
    dashboardId: asset?.dashboardId ?? null,
  };
}

/** Empty fields are left out; fields that this form does not show are kept. */
function bodyOf({ description, classificationDetails, ...rest }: AssetValues) {
  const details = Object.fromEntries(
    Object.entries(classificationDetails).filter(([, value]) => value !== ''),
  );
  return {
    name: rest.name,
    classificationType: rest.classificationType,
    locationId: rest.locationId,
    parentId: rest.parentId,
    dashboardId: rest.dashboardId,
    description: description === '' ? null : description,
    classificationDetails: Object.keys(details).length === 0 ? null : details,
  };
}

interface Props {
  readonly editing: Asset | 'new' | null;
  readonly onClose: () => void;
}

export function AssetForm({ editing, onClose }: Props) {
  return (
    <RecordDialog words={words} editing={editing} onClose={onClose}>
      {(asset) => <Form asset={asset} onClose={onClose} />}
    </RecordDialog>
  );
}

function Form({ asset, onClose }: { asset: Asset | null; onClose: () => void }) {
  const create = useWrite('createAsset');
  const update = useWrite('updateAsset');
  const serverForm = useServerForm<AssetValues>({
    initialValues: valuesOf(asset),
    edited: useEdited('retrieveAsset', asset && { assetId: asset.id }, valuesOf),
    validate: (values) => boundsErrors(values, RATING_BOUNDS),
    send: async (values, ifMatch) => {
      const body = bodyOf(values);
      if (asset) await update.mutateAsync({ assetId: asset.id, body, ifMatch });
      else await create.mutateAsync({ body });
    },
    onClose,
  });
  const { form } = serverForm;
  return (
    <FormBody serverForm={serverForm}>
      <TextInput label={strings.ui.name} data-autofocus {...form.getInputProps('name')} />
      <Select
        label={words.type}
        data={ASSET_TYPES.map((value) => ({ value, label: strings.assets.types[value] }))}
        allowDeselect={false}
        {...form.getInputProps('classificationType')}
      />
      {form.values.classificationType === 'ELECTRICAL_GENERATOR' ? (
        <GeneratorFields form={form} />
      ) : null}
      <AreaFields form={form} ownId={asset?.id ?? null} />
      <Textarea
        label={strings.ui.description}
        autosize
        minRows={2}
        {...form.getInputProps('description')}
      />
    </FormBody>
  );
}

type FormProps = { readonly form: UseFormReturnType<AssetValues> };

function GeneratorFields({ form }: FormProps) {
  const field = (key: string) => {
    const { value, ...rest } = form.getInputProps(`classificationDetails.${key}`);
    return { ...rest, value: value ?? '' };
  };
  return (
    <Fieldset legend={words.generator}>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
        {TEXTS.map((key) => (
          <TextInput key={key} label={words[key]} {...field(key)} />
        ))}
        {RATINGS.map((key) => (
          <NumberInput key={key} label={words[key]} min={0} {...field(key)} />
        ))}
      </SimpleGrid>
    </Fieldset>
  );
}

function AreaFields({ form, ownId }: FormProps & { readonly ownId: string | null }) {
  const { data: locations } = useLocations();
  const { data: assets } = useRead('listAssets', { query: { take: 1000 } });
  const { data: dashboards } = useRead('listDashboards', { query: { take: 1000 } });
  const options = (items: readonly { id: string; name: string }[] = []) =>
    items.filter(({ id }) => id !== ownId).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <>
      <Select
        label={words.parent}
        placeholder={words.top}
        data={options(assets?.items)}
        searchable
        clearable
        {...form.getInputProps('parentId')}
      />
      <Select
        label={strings.ui.location}
        data={options(locations?.items)}
        searchable
        clearable
        {...form.getInputProps('locationId')}
      />
      <Select
        label={words.dashboard}
        data={options(dashboards?.items)}
        searchable
        clearable
        {...form.getInputProps('dashboardId')}
      />
    </>
  );
}
