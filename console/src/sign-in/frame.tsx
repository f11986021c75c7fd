import { Center, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { strings } from '../strings/index.ts';

/** The frame of pages without a session. */
export function Entrance({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Center component="main" mih="100dvh" p="md" pt="calc(var(--demo-height) + 1rem)">
      <Paper withBorder radius="md" p="lg" w="100%" maw={380}>
        <Stack gap="md">
          <Stack gap={6} align="center">
            <img src="/icon.svg" alt="" width={48} height={48} />
            <Text fw={700}>{strings.app.name}</Text>
            <Title order={1} size="h4">
              {title}
            </Title>
          </Stack>
          {children}
        </Stack>
      </Paper>
    </Center>
  );
}
