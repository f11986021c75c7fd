import { Button, Group, Stack, Switch, Text, TextInput } from '@mantine/core';
import { IconKey, IconWebhook } from '@tabler/icons-react';
import { useState } from 'react';
import { useEdited, useRead, useWrite, type Webhook } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import {
  type Column,
  Confirm,
  CopyField,
  Dialog,
  Empty,
  FormBody,
  StateBadge,
  tell,
  useServerForm,
} from '../ui/index.ts';
import { useEditing } from './editing.ts';
import { RecordList, useListQuery } from './record-list.tsx';

const words = strings.administration.webhooks;

function columnsOf(onRotate: (webhook: Webhook) => void): readonly Column<Webhook>[] {
  return [
    { head: words.name, cell: ({ name }) => name },
    { head: words.url, cell: ({ url }) => url },
    {
      head: words.state,
      cell: ({ isActive }) => (
        <StateBadge tone={isActive ? 'good' : 'plain'}>
          {isActive ? words.on : words.off}
        </StateBadge>
      ),
    },
    {
      head: words.secret,
      cell: (webhook) => (
        <Button
          size="compact-xs"
          variant="default"
          leftSection={<IconKey size={12} aria-hidden />}
          onClick={() => onRotate(webhook)}
        >
          {words.rotate}
        </Button>
      ),
    },
  ];
}

export function Webhooks() {
  const list = useListQuery();
  const query = useRead('listWebhooks', { query: list.query }, { keepsPrevious: true });
  const { create, edit, remove: ask, close, doomed, isForm, edited } = useEditing<Webhook>();
  const [secret, setSecret] = useState<string | null>(null);
  const [rotated, setRotated] = useState<Webhook | null>(null);
  const remove = useWrite('deleteWebhook');
  const rotate = useWrite('rotateWebhookSecret');
  return (
    <>
      <RecordList
        list={list}
        query={query}
        columns={columnsOf(setRotated)}
        words={words}
        label={strings.administration.tabs.webhooks}
        empty={
          <Empty title={words.empty} icon={<IconWebhook />}>
            {words.emptyHint}
          </Empty>
        }
        onCreate={create}
        onEdit={edit}
        onRemove={ask}
      />
      <Dialog title={edited ? words.edit : words.create} isOpen={isForm} onClose={close}>
        <WebhookForm webhook={edited} onClose={close} onSecret={setSecret} />
      </Dialog>
      <SecretShown secret={secret} onClose={() => setSecret(null)} />
      <Confirm
        title={words.rotateTitle(rotated?.name ?? '')}
        action={words.rotate}
        isOpen={rotated !== null}
        onClose={() => setRotated(null)}
        onConfirm={async () =>
          setSecret((await rotate.mutateAsync({ webhookId: rotated?.id ?? '' })).secret)
        }
      >
        {words.rotateText}
      </Confirm>
      <Confirm
        title={words.removeTitle(doomed?.name ?? '')}
        action={strings.ui.remove}
        isOpen={doomed !== null}
        onClose={close}
        onConfirm={async () => {
          await remove.mutateAsync({ webhookId: doomed?.id ?? '' });
          tell(strings.administration.deleted);
        }}
      >
        {words.removeText}
      </Confirm>
    </>
  );
}

function valuesOf(webhook: Webhook | null) {
  return {
    name: webhook?.name ?? '',
    url: webhook?.url ?? 'https://',
    isActive: webhook?.isActive ?? true,
  };
}

interface FormProps {
  readonly webhook: Webhook | null;
  readonly onClose: () => void;
  readonly onSecret: (secret: string) => void;
}

function WebhookForm({ webhook, onClose, onSecret }: FormProps) {
  const create = useWrite('createWebhook');
  const update = useWrite('updateWebhook');
  const serverForm = useServerForm({
    initialValues: valuesOf(webhook),
    edited: useEdited('retrieveWebhook', webhook && { webhookId: webhook.id }, valuesOf),
    send: async (body, ifMatch) => {
      if (webhook) await update.mutateAsync({ webhookId: webhook.id, body, ifMatch });
      else onSecret((await create.mutateAsync({ body })).secret);
      tell(strings.ui.saved);
    },
    onDone: onClose,
  });
  const { form } = serverForm;
  return (
    <FormBody
      serverForm={serverForm}
      action={webhook ? strings.ui.save : strings.ui.create}
      onCancel={onClose}
    >
      <TextInput label={words.name} data-autofocus {...form.getInputProps('name')} />
      <TextInput label={words.url} type="url" {...form.getInputProps('url')} />
      <Switch label={words.active} {...form.getInputProps('isActive', { type: 'checkbox' })} />
    </FormBody>
  );
}

function SecretShown({ secret, onClose }: { secret: string | null; onClose: () => void }) {
  return (
    <Dialog title={words.secretTitle} isOpen={secret !== null} onClose={onClose}>
      <Stack gap="sm">
        <Text size="sm">{words.secretText}</Text>
        <CopyField label={words.secret} value={secret ?? ''} />
        <Group justify="flex-end">
          <Button onClick={onClose}>{words.done}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
