import { Alert, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { failureText } from '../service/index.ts';
import { strings } from '../strings/index.ts';

interface Given {
  readonly title: string;
  /** What will be lost, by name. */
  readonly children: ReactNode;
  readonly action: string;
  /** Must be typed before a loss that nothing brings back. */
  readonly typed?: string;
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
  readonly isOpen: boolean;
}

/** Asks before something is lost, and stays open with the reason when it fails. */
export function Confirm({ title, children, action, typed, onConfirm, onClose, isOpen }: Given) {
  const [text, setText] = useState('');
  const [failure, setFailure] = useState<unknown>(null);
  const [isBusy, setIsBusy] = useState(false);
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
