import { useState } from 'react';
import { IconKey, IconSend, IconWebhook } from '../icons/index.ts';
import type { Webhook } from '../service/index.ts';
import { webhookFormats as formatWords, strings } from '../strings/index.ts';
import {
  type Column,
  ConfirmOperation,
  CopyField,
  createdColumn,
  StateBadge,
  useBulkActions,
  useList,
} from '../ui/index.ts';
import { RecordList, useListFilters } from './record-list.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { WebhookForm } from './webhook-form.tsx';
import { WebhookTest } from './webhook-test.tsx';

const words = strings.administration.webhooks;

const formatOf = ({ format = 'STANDARD' }: Webhook) => formatWords.formats[format].label;

const columns: readonly Column<Webhook>[] = [
  { head: words.name, cell: ({ name }) => name, sortKey: 'NAME', value: ({ name }) => name },
  { head: formatWords.format, cell: formatOf, sortKey: 'FORMAT', value: formatOf },
  { head: words.url, cell: ({ url }) => url, sortKey: 'URL', value: ({ url }) => url },
  {
    head: words.state,
    cell: ({ isActive }) => (
      <StateBadge tone={isActive ? 'good' : 'plain'}>
        {isActive ? words.enabled : words.disabled}
      </StateBadge>
    ),
    sortKey: 'STATE',
    value: ({ isActive }) => (isActive ? words.enabled : words.disabled),
  },
  createdColumn,
];

export function Webhooks() {
  const { position, inputOf, ...filters } = useListFilters();
  const { activation } = useBulkActions();
  const list = useList({
    name: 'webhooks',
    operation: 'listWebhooks',
    inputOf,
    columns,
    ...position,
  });
  const [secret, setSecret] = useState<string | null>(null);
  const [rotating, setRotating] = useState<Webhook | null>(null);
  const [tested, setTested] = useState<Webhook | null>(null);
  return (
    <>
      <RecordList
        label={strings.administration.tabs.webhooks}
        resource="Webhook"
        words={words}
        icon={<IconWebhook />}
        list={list}
        filters={filters}
        nameOf={({ name }) => name}
        form={(webhook, close) => (
          <WebhookForm webhook={webhook} onClose={close} onSecret={setSecret} />
        )}
        deletion="deleteWebhook"
        deletedBy={({ id }) => ({ webhookId: id })}
        bulkActions={activation('updateWebhook', ({ id }: Webhook, body) => ({
          webhookId: id,
          body,
        }))}
        moreActions={(webhook) => [
          { label: words.test, icon: <IconSend size={16} />, act: () => setTested(webhook) },
          {
            label: words.rotate,
            icon: <IconKey size={16} />,
            act: () => setRotating(webhook),
          },
        ]}
      />
      <Secret value={secret} onClose={() => setSecret(null)} />
      {tested ? <WebhookTest webhook={tested} onClose={() => setTested(null)} /> : null}
      {rotating ? (
        <ConfirmOperation
          operation="rotateWebhookSecret"
          input={{ webhookId: rotating.id }}
          name={rotating.name}
          title={words.rotateTitle(rotating.name)}
          action={words.rotate}
          done={null}
          onDone={(reply) => setSecret(reply.secret)}
          isOpen
          onClose={() => setRotating(null)}
        >
          {words.rotateText}
        </ConfirmOperation>
      ) : null}
    </>
  );
}

/** The signing secret of a webhook; closed while there is none. */
function Secret({ value, onClose }: { value: string | null; onClose: () => void }) {
  return (
    <SecretDialog
      title={words.secretTitle}
      text={words.secretText}
      isOpen={value !== null}
      onClose={onClose}
    >
      <CopyField label={words.secret} value={value ?? ''} />
    </SecretDialog>
  );
}
