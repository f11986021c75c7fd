import { Box, Group, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { strings } from '../strings/index.ts';
import { type AuditedRecord, HistoryLink } from './history-link.tsx';
import classes from './page.module.css';

interface Props {
  readonly title: string;
  /** The part of the page that is open, named by the title of the browser's tab. */
  readonly part?: string;
  /** A line under the title. */
  readonly about?: ReactNode;
  /** The breadcrumb above the title. */
  readonly trail?: ReactNode;
  readonly actions?: ReactNode;
  /** Whether it takes the whole width of the largest screens, as a board does. */
  readonly isWide?: boolean;
  /** The record of the page, whose history is linked. */
  readonly record?: AuditedRecord;
  readonly children: ReactNode;
}

/** The frame of every page: heading, actions and content. */
export function Page(props: Props) {
  const { title, part, about, trail, actions, isWide = false, record, children } = props;
  useEffect(() => {
    document.title = [...(part ? [part] : []), title, strings.app.name].join(' · ');
  }, [part, title]);
  return (
    <Box className={classes.page} data-wide={isWide || undefined}>
      {trail ? (
        <Text
          component="nav"
          size="xs"
          c="dimmed"
          className={classes.trail}
          aria-label={strings.ui.breadcrumb}
        >
          {trail}
        </Text>
      ) : null}
      <Group className={classes.head} justify="space-between" align="flex-start">
        <Box className={classes.heading}>
          <Title order={1} className={classes.title}>
            {title}
          </Title>
          {about ? (
            <Text component="div" size="sm" c="dimmed" className={classes.about}>
              {about}
            </Text>
          ) : null}
        </Box>
        {actions || record ? (
          <Group gap="xs" className={classes.actions}>
            {actions}
            {record ? <HistoryLink record={record} /> : null}
          </Group>
        ) : null}
      </Group>
      {children}
    </Box>
  );
}
