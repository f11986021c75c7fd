import { Box } from '@mantine/core';
import classes from './bulk-bar.module.css';

/** More do not fit, so that the list scrolls and keys must reach it. */
const MAX_UNSCROLLED = 5;

interface Props {
  /** The accessible name of the list. */
  readonly label: string;
  readonly items: readonly { readonly id: string; readonly text: string }[];
}

/** Names below each other; a long list scrolls. */
export function NameList({ label, items }: Props) {
  return (
    <Box
      component="ul"
      className={classes.names ?? ''}
      aria-label={label}
      {...(items.length > MAX_UNSCROLLED ? { tabIndex: 0 } : {})}
    >
      {items.map(({ id, text }) => (
        <li key={id}>{text}</li>
      ))}
    </Box>
  );
}
