import { NumberInput, Switch, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type ListedDashboard, useEdited, useWrite } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { boundsErrors, FormBody, RecordDialog, useServerForm } from '../ui/index.ts';

const words = strings.dashboards.form;

const BOUNDS = { refreshIntervalSeconds: { min: 1, max: 3600 } };

interface Props {
  readonly editing: ListedDashboard | 'new' | null;
  readonly onClose: () => void;
}

/** Name and visibility; the editor changes the widgets. */
export function DashboardForm({ editing, onClose }: Props) {
  return (
    <RecordDialog words={words} editing={editing} onClose={onClose}>
      {(dashboard) => <Form dashboard={dashboard} onClose={onClose} />}
    </RecordDialog>
  );
}

function valuesOf(dashboard: ListedDashboard | null) {
  return {
    name: dashboard?.name ?? '',
    isPublic: dashboard?.isPublic ?? false,
    refreshIntervalSeconds: dashboard?.refreshIntervalSeconds ?? 30,
  };
}

function Form({ dashboard, onClose }: { dashboard: ListedDashboard | null; onClose: () => void }) {
  const create = useWrite('createDashboard');
  const update = useWrite('updateDashboard');
  const navigate = useNavigate();
  const serverForm = useServerForm({
    initialValues: valuesOf(dashboard),
    edited: useEdited('retrieveDashboard', dashboard && { dashboardId: dashboard.id }, valuesOf),
    validate: (values) => boundsErrors(values, BOUNDS),
    send: async (body, ifMatch) => {
      if (dashboard) await update.mutateAsync({ dashboardId: dashboard.id, body, ifMatch });
      else {
        const { id } = await create.mutateAsync({ body });
        await navigate({ to: `/dashboards/${id}/edit` });
      }
    },
    onClose,
  });
  const { form } = serverForm;
  return (
    <FormBody serverForm={serverForm}>
      <TextInput label={strings.ui.name} data-autofocus {...form.getInputProps('name')} />
      <Switch label={words.public} {...form.getInputProps('isPublic', { type: 'checkbox' })} />
      <NumberInput
        label={words.refresh}
        {...BOUNDS.refreshIntervalSeconds}
        allowDecimal={false}
        {...form.getInputProps('refreshIntervalSeconds')}
      />
    </FormBody>
  );
}
