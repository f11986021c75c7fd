import { Alert, Button, Center, Skeleton, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { IconAlertTriangle, IconInbox } from '../icons/index.ts';
import { failureText } from '../service/index.ts';
import { strings } from '../strings/index.ts';

const ROWS = ['first', 'second', 'third', 'fourth', 'fifth'];

/** A placeholder while content loads. */
export function Loading({ rows = 3, height = 36 }: { rows?: number; height?: number }) {
  return (
    <Stack gap="xs" role="status" aria-label={strings.ui.loading}>
      {ROWS.slice(0, rows).map((row) => (
        <Skeleton key={row} height={height} radius="sm" />
      ))}
    </Stack>
  );
}

/** An error with a retry button. */
export function Failed({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconAlertTriangle aria-hidden />}
      title={strings.ui.failedTitle}
      role="alert"
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{failureText(error)}</Text>
        {onRetry ? (
          <Button size="xs" variant="default" onClick={onRetry}>
            {strings.ui.retry}
          </Button>
        ) : null}
      </Stack>
    </Alert>
  );
}

interface EmptyProps {
  readonly title: string;
  /** The next step for the user. */
  readonly children?: ReactNode;
  readonly action?: ReactNode;
  readonly icon?: ReactNode;
}

export function Empty({ title, children, action, icon }: EmptyProps) {
  return (
    <Center py="xl" px="md">
      <Stack align="center" gap="xs" maw={480} ta="center">
        <ThemeIcon size={48} radius="xl" variant="light" color="gray" aria-hidden>
          {icon ?? <IconInbox />}
        </ThemeIcon>
        <Title order={2} size="h5">
          {title}
        </Title>
        {children ? (
          <Text component="div" size="sm" c="dimmed">
            {children}
          </Text>
        ) : null}
        {action}
      </Stack>
    </Center>
  );
}

interface LoadedProps<T> {
  readonly query: UseQueryResult<T, Error>;
  readonly loading?: ReactNode;
  readonly children: (data: T) => ReactNode;
}

/** The reply of a read, its loading placeholder or its error. */
export function Loaded<T>({ query, loading, children }: LoadedProps<T>) {
  const { data, error, isPending, refetch } = query;
  if (data !== undefined) return <>{children(data)}</>;
  if (error) return <Failed error={error} onRetry={() => void refetch()} />;
  return isPending ? (loading ?? <Loading />) : null;
}
