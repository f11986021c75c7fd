import { SEVERITIES, type Severity } from '@fieldwatch/contract';
import {
  ActionIcon,
  Button,
  Fieldset,
  Group,
  MultiSelect,
  Select,
  Stack,
  Textarea,
  TextInput,
} from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconPlus, IconTrash } from '../icons/index.ts';
import { type AlarmGroup, useEdited, useRead, useWrite, type Webhook } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { FormBody, useServerForm } from '../ui/index.ts';

const words = strings.administration.groups;

interface SubscriptionValues {
  key: string;
  kind: 'EMAIL' | 'WEBHOOK';
  email: string;
  webhookId: string | null;
  severities: Severity[];
}

interface GroupValues extends Record<string, unknown> {
  name: string;
  description: string;
  escalationPolicyId: string | null;
  subscriptions: SubscriptionValues[];
}

type GroupForm = UseFormReturnType<GroupValues>;

/** The webhooks; empty without permission. */
export function useWebhooks(): readonly Webhook[] {
  const { may } = useSession();
  const { data } = useRead(
    'listWebhooks',
    { query: { take: 1000 } },
    { enabled: may('ManageWebhooks') },
  );
  return data?.items ?? [];
}

const newKey = () => crypto.getRandomValues(new Uint32Array(1)).join('');

function valuesOf(group: AlarmGroup | null): GroupValues {
  return {
    name: group?.name ?? '',
    description: group?.description ?? '',
    escalationPolicyId: group?.escalationPolicyId ?? null,
    subscriptions: (group?.subscriptions ?? []).map((each, index) => ({
      // A stable key per record, so that two versions of it can be compared.
      key: String(index),
      kind: each.kind,
      email: each.kind === 'EMAIL' ? each.email : '',
      webhookId: each.kind === 'WEBHOOK' ? each.webhookId : null,
      severities: [...each.severities],
    })),
  };
}

function subscriptionOf({ kind, email, webhookId, severities }: SubscriptionValues) {
  return kind === 'EMAIL'
    ? ({ kind, email, severities } as const)
    : ({ kind, webhookId: webhookId ?? '', severities } as const);
}

export function AlarmGroupForm({
  group,
  onClose,
}: {
  group: AlarmGroup | null;
  onClose: () => void;
}) {
  const create = useWrite('createAlarmGroup');
  const update = useWrite('updateAlarmGroup');
  const serverForm = useServerForm<GroupValues>({
    initialValues: valuesOf(group),
    edited: useEdited('retrieveAlarmGroup', group && { alarmGroupId: group.id }, valuesOf),
    send: async ({ name, description, escalationPolicyId, subscriptions }, ifMatch) => {
      const body = {
        name,
        description: description === '' ? null : description,
        subscriptions: subscriptions.map(subscriptionOf),
        ...(group || escalationPolicyId ? { escalationPolicyId } : {}),
      };
      if (group) await update.mutateAsync({ alarmGroupId: group.id, body, ifMatch });
      else await create.mutateAsync({ body });
    },
    onClose,
  });
  const { form } = serverForm;
  return (
    <FormBody serverForm={serverForm}>
      <TextInput label={words.name} data-autofocus {...form.getInputProps('name')} />
      <Textarea label={strings.ui.description} autosize {...form.getInputProps('description')} />
      <Subscriptions form={form} />
      <PolicySelect form={form} />
    </FormBody>
  );
}

/** Who is paged about the alarms of the group; only offered where there is a policy. */
function PolicySelect({ form }: { form: GroupForm }) {
  const { data } = useRead('listEscalationPolicies', { query: { take: 1000 } });
  if (!data || data.items.length === 0) return null;
  return (
    <Select
      label={words.policy}
      clearable
      searchable
      data={data.items.map(({ id, name }) => ({ value: id, label: name }))}
      {...form.getInputProps('escalationPolicyId')}
    />
  );
}

function Subscriptions({ form }: { form: GroupForm }) {
  const { may } = useSession();
  const add = (kind: SubscriptionValues['kind']) =>
    form.insertListItem('subscriptions', {
      key: newKey(),
      kind,
      email: '',
      webhookId: null,
      severities: [],
    });
  return (
    <Fieldset legend={words.subscriptions}>
      <Stack gap="sm">
        {form.values.subscriptions.map(({ key }, index) => (
          <SubscriptionRow key={key} form={form} index={index} />
        ))}
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => add('EMAIL')}
          >
            {words.addEmail}
          </Button>
          {may('ManageWebhooks') ? (
            <Button
              size="xs"
              variant="default"
              leftSection={<IconPlus size={14} aria-hidden />}
              onClick={() => add('WEBHOOK')}
            >
              {words.addWebhook}
            </Button>
          ) : null}
        </Group>
      </Stack>
    </Fieldset>
  );
}

function SubscriptionRow({ form, index }: { form: GroupForm; index: number }) {
  const webhooks = useWebhooks();
  const at = `subscriptions.${index}`;
  const isEmail = form.values.subscriptions[index]?.kind === 'EMAIL';
  const isAll = form.values.subscriptions[index]?.severities.length === 0;
  return (
    <Group align="flex-end" gap="xs" wrap="wrap">
      {isEmail ? (
        <TextInput
          label={words.email}
          type="email"
          style={{ flex: '1 1 180px' }}
          {...form.getInputProps(`${at}.email`)}
        />
      ) : (
        <Select
          label={words.webhook}
          data={webhooks.map(({ id, name }) => ({ value: id, label: name }))}
          style={{ flex: '1 1 180px' }}
          {...form.getInputProps(`${at}.webhookId`)}
        />
      )}
      <MultiSelect
        label={words.severities}
        placeholder={isAll ? words.everySeverity : ''}
        data={SEVERITIES.toReversed().map((value) => ({ value, label: strings.severities[value] }))}
        style={{ flex: '1 1 180px' }}
        {...form.getInputProps(`${at}.severities`)}
      />
      <ActionIcon
        variant="subtle"
        color="red"
        c="red"
        size={36}
        aria-label={words.removeSubscription}
        onClick={() => form.removeListItem('subscriptions', index)}
      >
        <IconTrash size={16} />
      </ActionIcon>
    </Group>
  );
}
