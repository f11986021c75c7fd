import { ActionIcon, Alert, Group, Text, Title, Tooltip } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useLiveState } from '../live/index.ts';
import { useNow } from '../runtime/index.ts';
import { strings } from '../strings/index.ts';
import { exactTime } from '../ui/index.ts';
import classes from './wall.module.css';

const words = strings.dashboards.view;

/** Keeps the screen on where the browser lets us, again after each time the page was hidden. */
function useWakeLock(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | undefined;
    const take = async () => {
      if (document.visibilityState !== 'visible') return;
      lock = await navigator.wakeLock?.request('screen').catch(() => undefined);
    };
    void take();
    document.addEventListener('visibilitychange', take);
    return () => {
      document.removeEventListener('visibilitychange', take);
      void lock?.release();
    };
  }, []);
}

interface Given {
  readonly name: string;
  readonly onLeave: () => void;
  readonly children: ReactNode;
}

/** The board alone, for a wall. A clock shows that it lives; a lost line covers no doubt. */
export function Wall({ name, onLeave, children }: Given) {
  useWakeLock();
  const state = useLiveState();
  const now = useNow('seconds');
  const [lastLive, setLastLive] = useState(now);
  useEffect(() => {
    if (state === 'live') setLastLive(now);
  }, [state, now]);
  useEffect(() => {
    const onKey = ({ key }: KeyboardEvent) => key === 'Escape' && onLeave();
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [onLeave]);
  return (
    <div className={classes.wall}>
      <Group justify="space-between" mb="xs">
        <Title order={1} size="h3">
          {name}
        </Title>
        <Group gap="sm">
          <Text className="tabular" fw={600}>
            {exactTime(now)}
          </Text>
          <Tooltip label={words.leaveWall}>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={words.leaveWall}
              onClick={onLeave}
            >
              <IconX size={18} />
            </ActionIcon>
          </Tooltip>
        </Group>
      </Group>
      {state === 'live' ? null : (
        <Alert color="red" variant="filled" mb="xs" role="alert">
          {words.stale(exactTime(lastLive))}
        </Alert>
      )}
      {children}
    </div>
  );
}
