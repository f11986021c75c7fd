import { Alert, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { failureText } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { useFocusAfter } from './focus-after.ts';

interface Props {
  readonly title: string;
  /** The effects of the action, by name. */
  readonly children: ReactNode;
  readonly action: string;
  /** Text that the user must type before an irreversible action. */
  readonly typed?: string;
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
  readonly isOpen: boolean;
}

/** Asks before a destructive action. When the action fails, the dialog stays open with the reason. */
export function Confirm({ title, children, action, typed, onConfirm, onClose, isOpen }: Props) {
  const [text, setText] = useState('');
  const [failure, setFailure] = useState<unknown>(null);
  const [isBusy, setIsBusy] = useState(false);
  useFocusAfter(isOpen);
  const close = () => {
    setText('');
    setFailure(null);
    onClose();
  };
  const confirm = async () => {
    setIsBusy(true);
    setFailure(null);
    try {
      await onConfirm();
      close();
    } catch (error) {
      setFailure(error);
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={title}
      closeButtonProps={{ 'aria-label': strings.ui.close }}
    >
      <Stack gap="sm">
        <Text component="div" size="sm">
          {children}
        </Text>
        {typed ? (
          <TextInput
            label={strings.ui.typeToConfirm(typed)}
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
            autoComplete="off"
          />
        ) : null}
        {failure ? (
          <Alert color="red" role="alert">
            {failureText(failure)}
          </Alert>
        ) : null}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            {strings.ui.cancel}
          </Button>
          <Button
            color="red"
            loading={isBusy}
            disabled={typed !== undefined && text !== typed}
            onClick={() => void confirm()}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
