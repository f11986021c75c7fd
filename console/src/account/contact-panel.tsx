import { Alert, Button, Group, Modal, Select, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { IconAlertTriangle, IconCircleCheck } from '../icons/index.ts';
import { type Reply, useRead, useWrite } from '../service/index.ts';
import { contacts as words } from '../strings/index.ts';
import {
  attempt,
  type Column,
  FormBody,
  Loaded,
  Panel,
  type RowAction,
  SortedTable,
  StateBadge,
  useServerForm,
} from '../ui/index.ts';

type Method = Reply<'listContactMethods'>['items'][number];

/** Browsers are turned on above, and chats are webhooks: people add what they can type. */
const TYPED_KINDS = ['EMAIL', 'SMS', 'VOICE'] as const;

type TypedKind = (typeof TYPED_KINDS)[number];

/** The most that a user can have. */
const MAX_METHODS = 10;

const columns: readonly Column<Method>[] = [
  { head: words.kind, cell: ({ kind }) => words.kinds[kind] },
  { head: words.address, cell: ({ address }) => address },
  {
    head: words.state,
    cell: ({ isVerified }) =>
      isVerified ? (
        <StateBadge tone="good" icon={<IconCircleCheck aria-hidden />}>
          {words.verified}
        </StateBadge>
      ) : (
        <StateBadge tone="medium" icon={<IconAlertTriangle aria-hidden />}>
          {words.unverified}
        </StateBadge>
      ),
  },
];

export function useContactMethods() {
  return useRead('listContactMethods', { query: { take: MAX_METHODS } });
}

/** How the user is reached, with the way to verify and to test it. */
export function ContactPanel() {
  const query = useContactMethods();
  const rules = useRead('retrieveNotificationRules', {});
  const [verifying, setVerifying] = useState<Method | null>(null);
  const actionsOf = useActions(setVerifying);
  return (
    <Panel title={words.title}>
      <Text size="sm" c="dimmed" mb="xs">
        {words.about}
      </Text>
      {rules.data?.warnings.map((warning) => (
        <Alert key={warning} color="orange" p="xs" mb="xs" icon={<IconAlertTriangle aria-hidden />}>
          {warning}
        </Alert>
      ))}
      <Loaded query={query}>
        {({ items }) =>
          items.length === 0 ? null : (
            <SortedTable
              label={words.title}
              columns={columns}
              records={items}
              actions={{ nameOf: ({ address }) => address, of: actionsOf }}
            />
          )
        }
      </Loaded>
      <AddForm key={query.data?.count ?? 0} />
      <Modal
        opened={verifying !== null}
        onClose={() => setVerifying(null)}
        title={words.verifyTitle}
      >
        {verifying ? <CodeForm method={verifying} onClose={() => setVerifying(null)} /> : null}
      </Modal>
    </Panel>
  );
}

function useActions(onVerify: (method: Method) => void) {
  const sendCode = useWrite('sendContactCode');
  const test = useWrite('testContactMethod');
  const remove = useWrite('deleteContactMethod');
  return (method: Method): readonly RowAction[] => {
    const contactMethodId = method.id;
    const send = async () => {
      await sendCode.mutateAsync({ contactMethodId });
      onVerify(method);
    };
    const check = method.isVerified
      ? {
          label: words.test,
          act: () => void attempt(test.mutateAsync({ contactMethodId }), words.tested),
        }
      : { label: words.sendCode, act: () => void attempt(send(), words.codeSent) };
    return [
      check,
      {
        label: words.remove,
        isDestructive: true,
        act: () => void attempt(remove.mutateAsync({ contactMethodId }), words.removed),
      },
    ];
  };
}

function AddForm() {
  const create = useWrite('createContactMethod');
  const serverForm = useServerForm({
    initialValues: { kind: 'EMAIL' as TypedKind, address: '' },
    send: (body) => create.mutateAsync({ body }),
  });
  const { form, isBusy, failure, onSubmit } = serverForm;
  return (
    <form onSubmit={onSubmit}>
      <Group align="flex-end" mt="sm" gap="sm">
        <Select
          label={words.kind}
          data={TYPED_KINDS.map((value) => ({ value, label: words.kinds[value] }))}
          allowDeselect={false}
          {...form.getInputProps('kind')}
        />
        <TextInput
          label={words.address}
          placeholder={words.addressHints[form.values.kind]}
          {...form.getInputProps('address')}
        />
        <Button type="submit" loading={isBusy} disabled={form.values.address === ''}>
          {words.add}
        </Button>
      </Group>
      {failure ? (
        <Alert color="red" role="alert" mt="xs" p="xs">
          {failure}
        </Alert>
      ) : null}
    </form>
  );
}

interface CodeProps {
  readonly method: Method;
  readonly onClose: () => void;
}

function CodeForm({ method, onClose }: CodeProps) {
  const verify = useWrite('verifyContactMethod');
  const serverForm = useServerForm({
    initialValues: { code: '' },
    send: (body) => verify.mutateAsync({ contactMethodId: method.id, body }),
    doneMessage: words.isVerified,
    onClose,
  });
  return (
    <FormBody serverForm={serverForm} action={words.verify}>
      <TextInput
        label={words.code}
        description={words.codeHint(method.address)}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={6}
        data-autofocus
        {...serverForm.form.getInputProps('code')}
      />
    </FormBody>
  );
}
