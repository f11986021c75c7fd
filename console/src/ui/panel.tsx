import { Group, Paper, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './panel.module.css';

interface Props {
  readonly title?: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A section of a page with its own heading. */
export function Panel({ title, actions, children }: Props) {
  return (
    <Paper withBorder className={classes.panel} component="section" aria-label={title}>
      {title ? (
        <Group className={classes.head} justify="space-between" gap="xs">
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
