import { Tabs } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import classes from './tab-list.module.css';

interface Given {
  readonly label: string;
  /** The one that is open. */
  readonly value: string;
  readonly children: ReactNode;
}

/** Tabs in one row; where they are too many for it they scroll, with the open one in sight. */
export function TabList({ label, value, children }: Given) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const open = ref.current?.querySelector(`[role="tab"][data-active]`);
    if (value) open?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [value]);
  return (
    <Tabs.List ref={ref} aria-label={label} className={classes.list}>
      {children}
    </Tabs.List>
  );
}
