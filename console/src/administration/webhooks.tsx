import { Button, Switch, TextInput } from '@mantine/core';
import { IconKey, IconWebhook } from '@tabler/icons-react';
import { useState } from 'react';
import { useEdited, useRead, useWrite, type Webhook } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import {
  type Column,
  Confirm,
  CopyField,
  FormBody,
  StateBadge,
  useServerForm,
} from '../ui/index.ts';
import { RecordList, useListQuery } from './record-list.tsx';
import { SecretDialog } from './secret-dialog.tsx';

const words = strings.administration.webhooks;

function columnsOf(onRotate: (webhook: Webhook) => void): readonly Column<Webhook>[] {
  return [
    { head: words.name, cell: ({ name }) => name },
    { head: words.url, cell: ({ url }) => url },
    {
      head: words.state,
      cell: ({ isActive }) => (
        <StateBadge tone={isActive ? 'good' : 'plain'}>
          {isActive ? words.enabled : words.disabled}
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
  const [secret, setSecret] = useState<string | null>(null);
  const [rotated, setRotated] = useState<Webhook | null>(null);
  const rotate = useWrite('rotateWebhookSecret');
  return (
    <>
      <RecordList
        label={strings.administration.tabs.webhooks}
        words={words}
        icon={<IconWebhook />}
        list={list}
        query={query}
        columns={columnsOf(setRotated)}
        nameOf={({ name }) => name}
        form={(webhook, close) => (
          <WebhookForm webhook={webhook} onClose={close} onSecret={setSecret} />
        )}
        deletion="deleteWebhook"
        deletedBy={({ id }) => ({ webhookId: id })}
      />
      <SecretDialog
        title={words.secretTitle}
        text={words.secretText}
        isOpen={secret !== null}
        onClose={() => setSecret(null)}
      >
        <CopyField label={words.secret} value={secret ?? ''} />
      </SecretDialog>
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
    },
    onClose,
  });
  const { form } = serverForm;
  return (
    <FormBody serverForm={serverForm}>
      <TextInput label={words.name} data-autofocus {...form.getInputProps('name')} />
      <TextInput label={words.url} type="url" {...form.getInputProps('url')} />
      <Switch label={words.active} {...form.getInputProps('isActive', { type: 'checkbox' })} />
    </FormBody>
  );
}
