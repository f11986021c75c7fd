import { Anchor, NumberInput, Stack, TextInput } from '@mantine/core';
import { type Reply, useEdited, useRead, useWrite } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import {
  boundsErrors,
  CopyField,
  FormBody,
  Loaded,
  Panel,
  UnsavedChanges,
  useServerForm,
} from '../ui/index.ts';

const words = strings.administration.settings;

const BOUNDS = { retentionDays: { min: 1, max: 36_500 } };

export function Settings() {
  const { organization } = useSession();
  const query = useRead('retrieveOrganization', {});
  return (
    <Stack gap="md" maw={560}>
      <Panel title={words.organization}>
        <Loaded query={query}>
          {(record) => <OrganizationForm key={record.id} organization={record} />}
        </Loaded>
      </Panel>
      <Panel title={words.about}>
        <Stack gap="sm">
          <CopyField label={words.id} value={organization.id} />
          <Anchor href="/docs" target="_blank" size="sm">
            {words.reference}
          </Anchor>
        </Stack>
      </Panel>
    </Stack>
  );
}

function valuesOf({ name, retentionDays }: Reply<'retrieveOrganization'>) {
  return { name, retentionDays: (retentionDays ?? '') as number | string };
}

function OrganizationForm({ organization }: { organization: Reply<'retrieveOrganization'> }) {
  const update = useWrite('updateOrganization');
  const serverForm = useServerForm({
    initialValues: valuesOf(organization),
    edited: useEdited('retrieveOrganization', {}, valuesOf),
    validate: (values) => boundsErrors(values, BOUNDS),
    send: async ({ name, retentionDays }, ifMatch) => {
      const days = retentionDays === '' ? null : Number(retentionDays);
      await update.mutateAsync({ body: { name, retentionDays: days }, ifMatch });
    },
  });
  return (
    <FormBody serverForm={serverForm}>
      <TextInput label={words.name} {...serverForm.form.getInputProps('name')} />
      <NumberInput
        label={words.retention}
        description={words.retentionHint}
        {...BOUNDS.retentionDays}
        allowDecimal={false}
        {...serverForm.form.getInputProps('retentionDays')}
      />
      <UnsavedChanges isChanged={serverForm.form.isDirty()} />
    </FormBody>
  );
}
