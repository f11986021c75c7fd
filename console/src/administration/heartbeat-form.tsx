import { HEARTBEAT_KINDS, HEARTBEAT_LIMITS, type HeartbeatKind } from '@fieldwatch/contract';
import { NumberInput, Select, Switch, TextInput } from '@mantine/core';
import { type Heartbeat, useEdited, useWrite } from '../service/index.ts';
import { heartbeats as words } from '../strings/index.ts';
import { FormBody, useServerForm } from '../ui/index.ts';

function valuesOf(heartbeat: Heartbeat | null) {
  return {
    name: heartbeat?.name ?? '',
    kind: heartbeat?.kind ?? ('HEALTHCHECKS' as HeartbeatKind),
    url: heartbeat?.url ?? 'https://',
    everySeconds: heartbeat?.everySeconds ?? 60,
    isActive: heartbeat?.isActive ?? true,
  };
}

type Values = ReturnType<typeof valuesOf>;

interface FormProps {
  readonly heartbeat: Heartbeat | null;
  readonly onClose: () => void;
}

export function HeartbeatForm({ heartbeat, onClose }: FormProps) {
  const create = useWrite('createHeartbeat');
  const update = useWrite('updateHeartbeat');
  const serverForm = useServerForm<Values>({
    initialValues: valuesOf(heartbeat),
    edited: useEdited('retrieveHeartbeat', heartbeat && { heartbeatId: heartbeat.id }, valuesOf),
    send: async (body, ifMatch) => {
      if (heartbeat) await update.mutateAsync({ heartbeatId: heartbeat.id, body, ifMatch });
      else await create.mutateAsync({ body });
    },
    onClose,
  });
  const { form } = serverForm;
  return (
    <FormBody serverForm={serverForm}>
      <TextInput label={words.name} data-autofocus {...form.getInputProps('name')} />
      <Select
        label={words.kind}
        description={words.kindHints[form.values.kind]}
        data={HEARTBEAT_KINDS.map((value) => ({ value, label: words.kinds[value] }))}
        allowDeselect={false}
        {...form.getInputProps('kind')}
      />
      <TextInput label={words.url} type="url" {...form.getInputProps('url')} />
      <NumberInput
        label={words.every}
        description={words.everyHint}
        min={HEARTBEAT_LIMITS.minEverySeconds}
        max={HEARTBEAT_LIMITS.maxEverySeconds}
        {...form.getInputProps('everySeconds')}
      />
      <Switch label={words.active} {...form.getInputProps('isActive', { type: 'checkbox' })} />
    </FormBody>
  );
}
