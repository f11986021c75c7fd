import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { strings } from '../strings/index.ts';
import { Dialog } from '../ui/index.ts';

interface Given {
  readonly title: string;
  readonly text: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** What can be copied now and never read again. */
export function ShownOnce({ title, text, isOpen, onClose, children }: Given) {
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
