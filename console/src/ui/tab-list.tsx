import { Tabs } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import classes from './tab-list.module.css';

interface Props {
  readonly label: string;
  /** The selected tab. */
  readonly value: string;
  readonly children: ReactNode;
}

/** Tabs in one row; on a narrow screen they scroll, with the selected tab in view. */
export function TabList({ label, value, children }: Props) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!value) return undefined;
    // The router restores scroll positions after it has rendered, so this comes a frame later.
    const frame = requestAnimationFrame(() => {
      const list = ref.current;
      const selected = list?.querySelector('[role="tab"][data-active]');
      if (!list || !selected) return;
      // Not scrollIntoView, which would also scroll the page down to the tabs.
      const [outer, inner] = [list.getBoundingClientRect(), selected.getBoundingClientRect()];
      list.scrollLeft += inner.left + inner.width / 2 - (outer.left + outer.width / 2);
    });
    return () => cancelAnimationFrame(frame);
  }, [value]);
  return (
    <Tabs.List ref={ref} aria-label={label} className={classes.list}>
      {children}
    </Tabs.List>
  );
}
