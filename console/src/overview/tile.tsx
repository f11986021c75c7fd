import { Paper, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import classes from './tile.module.css';

interface Props {
  readonly label: string;
  readonly to: string;
  readonly value: string;
  readonly detail: ReactNode;
}

/** One figure with a link to its list. */
export function Tile({ label, to, value, detail }: Props) {
  return (
    <Paper withBorder radius="md" p="sm" className={classes.tile}>
      <Link to={to} className={`unlinked ${classes.link}`}>
        <Text size="xs" c="dimmed">
          {label}
        </Text>
        <Text className="tabular" fw={700} fz={28} lh={1.2}>
          {value}
        </Text>
      </Link>
      <Text component="div" size="sm" c="dimmed">
        {detail}
      </Text>
    </Paper>
  );
}
