import { useEdited, useWrite, type Variable } from '../service/index.ts';
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
  /** What is known of it already, as of an unmatched path. */
  readonly given: Partial<VariableValues> | null;
  readonly onClose: () => void;
}

/** Open while something is given. */
export function VariableCreation({ deviceId, given, onClose }: CreationProps) {
  return (
    <Dialog title={words.create} isOpen={given !== null} onClose={onClose} size="lg">
      {given ? <CreationForm deviceId={deviceId} given={given} onClose={onClose} /> : null}
    </Dialog>
  );
}

function CreationForm({ deviceId, given, onClose }: CreationProps) {
  const create = useWrite('createVariable');
  const serverForm = useServerForm<VariableValues>({
    initialValues: newVariable(given ?? {}),
    send: async (values) => {
      await create.mutateAsync({ deviceId, body: creationOf(values) });
    },
    told: words.created,
    onClose,
  });
  return (
    <FormBody serverForm={serverForm}>
      <VariableFields form={serverForm.form} isNew />
    </FormBody>
  );
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
