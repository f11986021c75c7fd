import { useCall, useEdited, useWrite, type Variable } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { Dialog, FormBody, useServerForm } from '../ui/index.ts';
import {
  changeOf,
  creationOf,
  newVariable,
  VariableFields,
  type VariableValues,
  valuesOf,
} from './variable-fields.tsx';

const words = strings.variables.form;

interface CreationProps {
  readonly deviceId: string;
  /** Initial values, such as those of an unmatched path; the dialog is closed while null. */
  readonly initial: Partial<VariableValues> | null;
  readonly onClose: () => void;
}

/** Creates a Variable in a dialog. */
export function VariableCreation({ deviceId, initial, onClose }: CreationProps) {
  return (
    <Dialog title={words.create} isOpen={initial !== null} onClose={onClose} size="lg">
      {initial ? <CreationForm deviceId={deviceId} initial={initial} onClose={onClose} /> : null}
    </Dialog>
  );
}

function CreationForm({ deviceId, initial, onClose }: CreationProps) {
  const create = useWrite('createVariable');
  const serverForm = useServerForm<VariableValues>({
    initialValues: newVariable(initial ?? {}),
    send: async (values) => {
      await create.mutateAsync({ deviceId, body: creationOf(values) });
    },
    doneMessage: words.created,
    onClose,
  });
  return (
    <FormBody serverForm={serverForm}>
      <VariableFields form={serverForm.form} isNew />
    </FormBody>
  );
}

/** Creates a Variable of a Device without a dialog, from values such as those of an unmatched path. */
export function useVariableCreator(deviceId: string) {
  const call = useCall();
  return (initial: Partial<VariableValues>) =>
    call('createVariable', { deviceId, body: creationOf(newVariable(initial)) });
}

interface EditProps {
  readonly variable: Variable | null;
  readonly onClose: () => void;
}

export function VariableEdit({ variable, onClose }: EditProps) {
  return (
    <Dialog title={words.edit} isOpen={variable !== null} onClose={onClose} size="lg">
      {variable ? <EditForm variable={variable} onClose={onClose} /> : null}
    </Dialog>
  );
}

function EditForm({ variable, onClose }: { variable: Variable; onClose: () => void }) {
  const update = useWrite('updateVariable');
  const serverForm = useServerForm<VariableValues>({
    initialValues: valuesOf(variable),
    edited: useEdited('retrieveVariable', { variableId: variable.id }, valuesOf),
    send: async (values, ifMatch) => {
      await update.mutateAsync({ variableId: variable.id, body: changeOf(values), ifMatch });
    },
    onClose,
  });
  return (
    <FormBody serverForm={serverForm}>
      <VariableFields form={serverForm.form} isNew={false} />
    </FormBody>
  );
}
