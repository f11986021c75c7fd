import { INTERFACE_PERMISSIONS, KEY_PERMISSIONS, type KeyPermission } from '@fieldwatch/contract';
import { Button, Checkbox, Fieldset, Group, SimpleGrid, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { type ApiKey, type Reply, useEdited, useWrite } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { permissions as permissionTexts, strings } from '../strings/index.ts';
import { FormBody, useServerForm } from '../ui/index.ts';

const words = strings.administration.keys;

interface KeyValues extends Record<string, unknown> {
  name: string;
  permissions: KeyPermission[];
  /** The value of a `datetime-local` field in the viewer's zone; empty for never. */
  expires: string;
}

interface Props {
  readonly apiKey: ApiKey | null;
  readonly onClose: () => void;
  readonly onIssued: (issued: Reply<'createApiKey'>) => void;
}

function dateFieldOf(iso: string | null): string {
  if (iso === null) return '';
  const date = new Date(iso);
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

function valuesOf(apiKey: ApiKey | null): KeyValues {
  return {
    name: apiKey?.name ?? '',
    permissions: apiKey?.permissions ?? [],
    expires: dateFieldOf(apiKey?.expiresDateTime ?? null),
  };
}

export function ApiKeyForm({ apiKey, onClose, onIssued }: Props) {
  const create = useWrite('createApiKey');
  const update = useWrite('updateApiKey');
  const serverForm = useServerForm<KeyValues>({
    initialValues: valuesOf(apiKey),
    edited: useEdited('retrieveApiKey', apiKey && { apiKeyId: apiKey.id }, valuesOf),
    validate: ({ permissions }): Record<string, string> =>
      permissions.length === 0 ? { permissions: words.noPermissions } : {},
    send: async ({ name, permissions, expires }, ifMatch) => {
      const expiresDateTime = expires === '' ? null : new Date(expires).toISOString();
      const body = { name, permissions, expiresDateTime };
      if (apiKey) await update.mutateAsync({ apiKeyId: apiKey.id, body, ifMatch });
      else onIssued(await create.mutateAsync({ body }));
    },
    onClose,
  });
  const { form } = serverForm;
  return (
    <FormBody serverForm={serverForm}>
      <TextInput label={words.name} data-autofocus {...form.getInputProps('name')} />
      <PermissionBoxes form={form} />
      <TextInput
        label={words.expires}
        type="datetime-local"
        {...form.getInputProps('expires')}
        error={form.errors.expiresDateTime}
      />
    </FormBody>
  );
}

const GROUPS = [
  { label: words.groups.resources, permissions: KEY_PERMISSIONS.filter(isOfInterface) },
  {
    label: words.groups.other,
    permissions: KEY_PERMISSIONS.filter((each) => !isOfInterface(each)),
  },
];

function isOfInterface(permission: KeyPermission): boolean {
  return (INTERFACE_PERMISSIONS as readonly string[]).includes(permission);
}

/** Check boxes of permissions; users can only grant their own permissions. */
function PermissionBoxes({ form }: { form: UseFormReturnType<KeyValues> }) {
  const { may } = useSession();
  const grantable = KEY_PERMISSIONS.filter((each) => may(each));
  const set = (permissions: readonly KeyPermission[]) =>
    form.setFieldValue('permissions', [...permissions]);
  return (
    <Checkbox.Group
      label={words.permissions}
      value={form.values.permissions}
      onChange={(next) => set(next as KeyPermission[])}
      error={form.errors.permissions}
    >
      <Group gap="xs" my={6}>
        <Button size="compact-xs" variant="default" onClick={() => set(grantable)}>
          {words.all}
        </Button>
        <Button size="compact-xs" variant="default" onClick={() => set([])}>
          {words.none}
        </Button>
      </Group>
      {GROUPS.map(({ label, permissions }) => (
        <Fieldset key={label} legend={label} mb="xs" p="xs">
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={6}>
            {permissions.map((each) => (
              <Checkbox
                key={each}
                value={each}
                label={permissionTexts[each]}
                disabled={!may(each)}
                size="xs"
              />
            ))}
          </SimpleGrid>
        </Fieldset>
      ))}
    </Checkbox.Group>
  );
}
