import type { Weekday } from '@fieldwatch/contract';
import {
  ActionIcon,
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
import { useState } from 'react';
import { IconArrowDown, IconArrowUp } from '../icons/index.ts';
import { nowMs } from '../runtime/index.ts';
import { type Reply, useEdited, useRead, useWrite } from '../service/index.ts';
import { rotas as words } from '../strings/index.ts';
import { FormBody, timeZones, useFormList, useServerForm } from '../ui/index.ts';
import { RotaCalendarLink } from './rota-calendar-link.tsx';
import { LayerHours } from './rota-hours.tsx';
import { RotaOverrides } from './rota-overrides.tsx';
import {
  bodyOf,
  type Layer,
  type LayerProps,
  newLayer,
  type PersonOption,
  valuesOf,
} from './rota-values.ts';
import { RotaWeeks } from './rota-weeks.tsx';

type Rota = Reply<'retrieveRota'>;

const MAX_PEOPLE = 1000;

interface FormProps {
  readonly rota: Rota | null;
  readonly onClose: () => void;
}

export function RotaForm({ rota, onClose }: FormProps) {
  const people = usePeople();
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
      {rota ? <RotaCalendarLink rota={rota} /> : null}
      <TextInput label={words.name} data-autofocus {...form.getInputProps('name')} />
      <Select
        label={words.timeZone}
        data={timeZones()}
        searchable
        allowDeselect={false}
        limit={50}
        {...form.getInputProps('timeZone')}
      />
      <Layers form={form} people={people} />
      <RotaOverrides form={form} people={people} />
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

function usePeople(): PersonOption[] {
  const people = useRead('listAlarmAssignees', { query: { take: MAX_PEOPLE } }).data?.items ?? [];
  return people.map(({ userId, name, email }) => ({ value: userId, label: name ?? email }));
}

interface PeopleProps {
  readonly people: PersonOption[];
}

function Layers({ form, people }: PeopleProps & Pick<LayerProps, 'form'>) {
  const { layers } = form.values;
  const list = useFormList(form, 'layers', layers.length);
  return (
    <Stack gap="xs">
      {layers.map((layer, index) => (
        <LayerFields key={list.keys[index]} {...{ form, layer, index, people, list }} />
      ))}
      <Button
        variant="default"
        size="compact-sm"
        style={{ alignSelf: 'flex-start' }}
        onClick={() => list.insert(newLayer())}
      >
        {words.addLayer}
      </Button>
    </Stack>
  );
}

interface ListedProps extends LayerProps {
  readonly list: ReturnType<typeof useFormList>;
}

function LayerFields({ form, layer, index, people, list }: ListedProps & PeopleProps) {
  const field = (name: keyof Layer) => form.getInputProps(`layers.${index}.${name}`);
  const userIds = layer.userIds.filter((id) => id !== null);
  return (
    <Fieldset legend={words.layer(index + 1)}>
      <Stack gap="xs">
        <MultiSelect
          label={words.people}
          data={people}
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
        <Handoff form={form} layer={layer} index={index} />
        <LayerHours form={form} layer={layer} index={index} />
        <LayerButtons list={list} index={index} />
      </Stack>
    </Fieldset>
  );
}

function Handoff({ form, layer, index }: LayerProps) {
  const field = (name: keyof Layer) => form.getInputProps(`layers.${index}.${name}`);
  return (
    <Group grow align="flex-start" preventGrowOverflow={false}>
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
  );
}

/** Later layers win, so their order matters. */
function LayerButtons({ list, index }: Pick<ListedProps, 'list' | 'index'>) {
  return (
    <Group gap="xs">
      <ActionIcon
        variant="default"
        aria-label={words.layerUp(index + 1)}
        disabled={index === 0}
        onClick={() => list.move(index, index - 1)}
      >
        <IconArrowUp size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon
        variant="default"
        aria-label={words.layerDown(index + 1)}
        disabled={index === list.keys.length - 1}
        onClick={() => list.move(index, index + 1)}
      >
        <IconArrowDown size={16} aria-hidden />
      </ActionIcon>
      <Button variant="subtle" color="red" size="compact-sm" onClick={() => list.remove(index)}>
        {words.removeLayer(index + 1)}
      </Button>
    </Group>
  );
}
