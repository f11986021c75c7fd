import { type Device, useEdited, useWrite } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { Dialog, FormBody, tell, useServerForm } from '../ui/index.ts';
import { bodyOf, DeviceFields, type DeviceValues, valuesOf } from './device-fields.tsx';

interface Given {
  readonly device: Device | null;
  readonly onClose: () => void;
}

export function DeviceEdit({ device, onClose }: Given) {
  return (
    <Dialog title={strings.devices.form.edit} isOpen={device !== null} onClose={onClose} size="lg">
      {device ? <EditForm device={device} onClose={onClose} /> : null}
    </Dialog>
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
      tell(strings.ui.saved);
    },
    onDone: onClose,
  });
  return (
    <FormBody serverForm={serverForm} action={strings.ui.save} onCancel={onClose}>
      <DeviceFields form={serverForm.form} isNew={false} />
    </FormBody>
  );
}
