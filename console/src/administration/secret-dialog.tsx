import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { strings } from '../strings/index.ts';
import { Dialog } from '../ui/index.ts';

interface Props {
  readonly title: string;
  readonly text: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Shows a secret that cannot be read again. */
export function SecretDialog({ title, text, isOpen, onClose, children }: Props) {
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose} size="lg">
      <Stack gap="sm">
        <Text size="sm">{text}</Text>
        {children}
        <Group justify="flex-end">
          <Button onClick={onClose}>{strings.administration.copied}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
