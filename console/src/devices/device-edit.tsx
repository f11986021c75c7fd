import { type Device, useEdited, useWrite } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { FormBody, RecordDialog, useServerForm } from '../ui/index.ts';
import { bodyOf, DeviceFields, type DeviceValues, valuesOf } from './device-fields.tsx';

interface Props {
  readonly device: Device | null;
  readonly onClose: () => void;
}

export function DeviceEdit({ device, onClose }: Props) {
  return (
    <RecordDialog words={strings.devices.form} editing={device} onClose={onClose}>
      {(edited) => (edited ? <EditForm device={edited} onClose={onClose} /> : null)}
    </RecordDialog>
  );
}

function EditForm({ device, onClose }: { device: Device; onClose: () => void }) {
  const update = useWrite('updateDevice');
  const { id: deviceId } = device;
  const serverForm = useServerForm<DeviceValues>({
    initialValues: valuesOf(device),
    edited: useEdited('retrieveDevice', { deviceId }, valuesOf),
    send: async (values, ifMatch) => {
      await update.mutateAsync({ deviceId, body: bodyOf(values), ifMatch });
    },
    onClose,
  });
  return (
    <FormBody serverForm={serverForm}>
      <DeviceFields form={serverForm.form} isNew={false} />
    </FormBody>
  );
}
