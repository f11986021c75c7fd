import { NumberInput, Select, SimpleGrid, Textarea, TextInput } from '@mantine/core';
import { useLocations } from '../references/index.ts';
import { type Location, useEdited, useWrite } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { boundsErrors, FormBody, RecordDialog, timeZone, useServerForm } from '../ui/index.ts';

const words = strings.locations.form;

const BOUNDS = { latitude: { min: -90, max: 90 }, longitude: { min: -180, max: 180 } };

interface LocationValues extends Record<string, unknown> {
  name: string;
  description: string;
  address: string;
  latitude: number | string;
  longitude: number | string;
  parentId: string | null;
  timeZone: string;
}

const textOrNull = (text: string) => (text === '' ? null : text);
const numberOrNull = (value: number | string) => (value === '' ? null : Number(value));

function valuesOf(location: Location | null): LocationValues {
  return {
    name: location?.name ?? '',
    description: location?.description ?? '',
    address: location?.address ?? '',
    latitude: location?.latitude ?? '',
    longitude: location?.longitude ?? '',
    parentId: location?.parentId ?? null,
    timeZone: location ? (location.timeZone ?? '') : timeZone,
  };
}

interface Props {
  readonly editing: Location | 'new' | null;
  readonly onClose: () => void;
}

export function LocationForm({ editing, onClose }: Props) {
  return (
    <RecordDialog words={words} editing={editing} onClose={onClose}>
      {(location) => <Form location={location} onClose={onClose} />}
    </RecordDialog>
  );
}

function Form({ location, onClose }: { location: Location | null; onClose: () => void }) {
  const { data: all } = useLocations();
  const create = useWrite('createLocation');
  const update = useWrite('updateLocation');
  const serverForm = useServerForm<LocationValues>({
    initialValues: valuesOf(location),
    edited: useEdited('retrieveLocation', location && { locationId: location.id }, valuesOf),
    validate: (values) => boundsErrors(values, BOUNDS),
    send: async (values, ifMatch) => {
      const body = {
        name: values.name,
        parentId: values.parentId,
        description: textOrNull(values.description),
        address: textOrNull(values.address),
        timeZone: textOrNull(values.timeZone),
        latitude: numberOrNull(values.latitude),
        longitude: numberOrNull(values.longitude),
      };
      if (location) await update.mutateAsync({ locationId: location.id, body, ifMatch });
      else await create.mutateAsync({ body });
    },
    onClose,
  });
  const { form } = serverForm;
  const others = (all?.items ?? []).filter(({ id }) => id !== location?.id);
  return (
    <FormBody serverForm={serverForm}>
      <TextInput label={strings.ui.name} data-autofocus {...form.getInputProps('name')} />
      <TextInput label={strings.locations.address} {...form.getInputProps('address')} />
      <SimpleGrid cols={2} spacing="xs">
        <NumberInput
          label={words.latitude}
          {...BOUNDS.latitude}
          {...form.getInputProps('latitude')}
        />
        <NumberInput
          label={words.longitude}
          {...BOUNDS.longitude}
          {...form.getInputProps('longitude')}
        />
      </SimpleGrid>
      <Select
        label={words.parent}
        placeholder={words.top}
        data={others.map(({ id, name }) => ({ value: id, label: name }))}
        searchable
        clearable
        {...form.getInputProps('parentId')}
      />
      <TextInput
        label={words.timeZone}
        description={words.timeZoneHint}
        {...form.getInputProps('timeZone')}
      />
      <Textarea
        label={strings.ui.description}
        autosize
        minRows={2}
        {...form.getInputProps('description')}
      />
    </FormBody>
  );
}
