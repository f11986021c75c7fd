import { ActionIcon, NumberInput, Tooltip } from '@mantine/core';
import { useState } from 'react';
import { IconPencil } from '../icons/index.ts';
import { type Reply, useEdited, useRead, useWrite } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { boundsErrors, Dialog, FormBody, useServerForm } from '../ui/index.ts';

const words = strings.devices.onlineWindow;
const BOUNDS = { onlineMinutes: { min: 1, max: 10_080 } };

type Window = Reply<'retrieveOnlineWindow'>;

/** The online window of the Device, with a button that changes it. */
export function OnlineWindow({ deviceId }: { deviceId: string }) {
  const { may } = useSession();
  const { data } = useRead('retrieveOnlineWindow', { deviceId });
  const [isEditing, setIsEditing] = useState(false);
  if (!data) return <>…</>;
  const close = () => setIsEditing(false);
  return (
    <>
      {shownWindow(data)}{' '}
      {may('UpdateDevice') ? (
        <Tooltip label={words.edit}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={words.edit}
            onClick={() => setIsEditing(true)}
          >
            <IconPencil size={14} />
          </ActionIcon>
        </Tooltip>
      ) : null}
      <Dialog title={words.edit} isOpen={isEditing} onClose={close}>
        {isEditing ? <WindowForm deviceId={deviceId} window={data} onClose={close} /> : null}
      </Dialog>
    </>
  );
}

function shownWindow({ onlineMinutes, learnedOnlineMinutes }: Window): string {
  if (onlineMinutes !== null) return words.minutes(onlineMinutes);
  return learnedOnlineMinutes === null ? words.serverDefault : words.learned(learnedOnlineMinutes);
}

const valuesOf = ({ onlineMinutes }: Window) => ({
  onlineMinutes: (onlineMinutes ?? '') as number | string,
});

interface FormProps {
  readonly deviceId: string;
  readonly window: Window;
  readonly onClose: () => void;
}

function WindowForm({ deviceId, window, onClose }: FormProps) {
  const update = useWrite('updateOnlineWindow');
  const serverForm = useServerForm({
    initialValues: valuesOf(window),
    edited: useEdited('retrieveOnlineWindow', { deviceId }, valuesOf),
    validate: (values) => boundsErrors(values, BOUNDS),
    send: async ({ onlineMinutes }, ifMatch) => {
      const body = { onlineMinutes: onlineMinutes === '' ? null : Number(onlineMinutes) };
      await update.mutateAsync({ deviceId, body, ifMatch });
    },
    onClose,
  });
  return (
    <FormBody serverForm={serverForm}>
      <NumberInput
        label={words.label}
        description={words.hint}
        data-autofocus
        {...BOUNDS.onlineMinutes}
        allowDecimal={false}
        {...serverForm.form.getInputProps('onlineMinutes')}
      />
    </FormBody>
  );
}
