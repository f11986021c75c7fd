import type { Weekday } from '@fieldwatch/contract';
import {
  Alert,
  Button,
  Fieldset,
  Group,
  MultiSelect,
  NumberInput,
  Select,
  Stack,
  Switch,
  TextInput,
} from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useState } from 'react';
import { nowMs } from '../runtime/index.ts';
import { type Reply, useEdited, useRead, useWrite } from '../service/index.ts';
import { rotas as words } from '../strings/index.ts';
import { FormBody, useServerForm } from '../ui/index.ts';
import { RotaWeeks } from './rota-weeks.tsx';

type Rota = Reply<'retrieveRota'>;
type Layer = Rota['layers'][number];

const MAX_PEOPLE = 1000;

const newLayer = (): Layer => ({
  userIds: [],
  rotation: 'WEEKLY',
  every: 1,
  handoffTime: '08:00',
  handoffWeekday: 'MONDAY',
  startDate: new Date(nowMs()).toISOString().slice(0, 10),
  hours: [],
});

function valuesOf(rota: Rota | null) {
  return {
    name: rota?.name ?? '',
    timeZone: rota?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    layers: rota ? [...rota.layers] : [newLayer()],
    sendsHandoffMail: rota?.sendsHandoffMail ?? true,
    sendsWeeklySummary: rota?.sendsWeeklySummary ?? false,
  };
}

type Values = ReturnType<typeof valuesOf>;

/** The weekday belongs to weekly turns alone. */
function bodyOf({ layers, ...fields }: Values) {
  return {
    ...fields,
    layers: layers.map((layer) => ({
      ...layer,
      handoffWeekday:
        layer.rotation === 'WEEKLY' ? (layer.handoffWeekday ?? ('MONDAY' as const)) : null,
    })),
  };
}

interface FormProps {
  readonly rota: Rota | null;
  readonly onClose: () => void;
}

export function RotaForm({ rota, onClose }: FormProps) {
  const create = useWrite('createRota');
  const update = useWrite('updateRota');
  const [openedAt] = useState(nowMs);
  const serverForm = useServerForm({
    initialValues: valuesOf(rota),
    edited: useEdited('retrieveRota', rota && { rotaId: rota.id }, valuesOf),
    send: async (values, ifMatch) => {
      const body = bodyOf(values);
      if (rota) await update.mutateAsync({ rotaId: rota.id, body, ifMatch });
      else await create.mutateAsync({ body });
    },
    onClose,
  });
  const { form } = serverForm;
  return (
    <FormBody serverForm={serverForm}>
      {rota?.warnings.map(({ kind, message }) => (
        <Alert key={kind} variant="light" color="red" p="xs">
          {message}
        </Alert>
      ))}
      {rota ? <RotaWeeks rotaId={rota.id} from={openedAt} /> : null}
      <TextInput label={words.name} data-autofocus {...form.getInputProps('name')} />
      <Select
        label={words.timeZone}
        data={Intl.supportedValuesOf('timeZone')}
        searchable
        allowDeselect={false}
        limit={50}
        {...form.getInputProps('timeZone')}
      />
      <Layers form={form} />
      <Switch
        label={words.handoffMail}
        {...form.getInputProps('sendsHandoffMail', { type: 'checkbox' })}
      />
      <Switch
        label={words.weeklySummary}
        {...form.getInputProps('sendsWeeklySummary', { type: 'checkbox' })}
      />
    </FormBody>
  );
}

function Layers({ form }: { form: UseFormReturnType<Values> }) {
  const people = useRead('listAlarmAssignees', { query: { take: MAX_PEOPLE } }).data?.items ?? [];
  const data = people.map(({ userId, name, email }) => ({ value: userId, label: name ?? email }));
  return (
    <Stack gap="xs">
      {form.values.layers.map((layer, index) => (
        <LayerFields
          // biome-ignore lint/suspicious/noArrayIndexKey: a layer has no other name than its place
          key={index}
          form={form}
          layer={layer}
          index={index}
          data={data}
        />
      ))}
      <Button
        variant="default"
        size="compact-sm"
        style={{ alignSelf: 'flex-start' }}
        onClick={() => form.insertListItem('layers', newLayer())}
      >
        {words.addLayer}
      </Button>
    </Stack>
  );
}

interface LayerProps {
  readonly form: UseFormReturnType<Values>;
  readonly layer: Layer;
  readonly index: number;
  readonly data: { value: string; label: string }[];
}

function LayerFields({ form, layer, index, data }: LayerProps) {
  const field = (name: keyof Layer) => form.getInputProps(`layers.${index}.${name}`);
  const userIds = layer.userIds.filter((id) => id !== null);
  return (
    <Fieldset legend={words.layer(index + 1)}>
      <Stack gap="xs">
        <MultiSelect
          label={words.people}
          data={data}
          searchable
          {...field('userIds')}
          value={userIds}
        />
        <Group grow align="flex-start">
          <NumberInput label={words.every} min={1} max={366} {...field('every')} />
          <Select
            label={words.rotation}
            allowDeselect={false}
            data={Object.entries(words.rotations).map(([value, label]) => ({ value, label }))}
            {...field('rotation')}
          />
        </Group>
        <Group grow align="flex-start">
          <TextInput type="time" label={words.handoffTime} {...field('handoffTime')} />
          {layer.rotation === 'WEEKLY' ? (
            <Select
              label={words.handoffWeekday}
              allowDeselect={false}
              data={Object.entries(words.weekdays).map(([value, label]) => ({
                value: value as Weekday,
                label,
              }))}
              {...field('handoffWeekday')}
            />
          ) : null}
          <TextInput type="date" label={words.startDate} {...field('startDate')} />
        </Group>
        <Button
          variant="subtle"
          color="red"
          size="compact-sm"
          style={{ alignSelf: 'flex-start' }}
          onClick={() => form.removeListItem('layers', index)}
        >
          {words.removeLayer(index + 1)}
        </Button>
      </Stack>
    </Fieldset>
  );
}
