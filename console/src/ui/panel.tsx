import { Group, Paper, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface Given {
  readonly title?: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A part of a page with a heading of its own. */
export function Panel({ title, actions, children }: Given) {
  return (
    <Paper withBorder radius="md" p="sm" component="section" aria-label={title}>
      {title ? (
        <Group justify="space-between" mb="xs" gap="xs">
          <Title order={2} size="h5">
            {title}
          </Title>
          {actions}
        </Group>
      ) : null}
      {children}
    </Paper>
  );
}
