import { ActionIcon, Alert, Group, Text, Title, Tooltip } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { IconChevronRight, IconMaximize, IconPlugConnectedX, IconX } from '../icons/index.ts';
import { useLostSince } from '../live/index.ts';
import { useNow } from '../runtime/index.ts';
import { strings } from '../strings/index.ts';
import { exactTime, relativeTime } from '../ui/index.ts';
import classes from './wall.module.css';

const words = strings.dashboards.view;

/** Keeps the screen on where the browser allows it, also after the page was hidden. */
function useWakeLock(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | undefined;
    let isOver = false;
    const take = async () => {
      // The browser releases the lock when the page is hidden.
      if (document.visibilityState !== 'visible' || (lock && !lock.released)) return;
      lock = await navigator.wakeLock?.request('screen').catch(() => undefined);
      if (isOver) void lock?.release();
    };
    void take();
    document.addEventListener('visibilitychange', take);
    return () => {
      isOver = true;
      document.removeEventListener('visibilitychange', take);
      void lock?.release();
    };
  }, []);
}

/** Enters full screen where the browser allows it; otherwise the board fills the window. */
export function requestFullScreen(): void {
  document.documentElement.requestFullscreen?.().catch(() => undefined);
}

function leaveFullScreen(): void {
  if (document.fullscreenElement) void document.exitFullscreen().catch(() => undefined);
}

/** Escape exits; in full screen the browser handles the key itself. */
function useEscape(onLeave: (() => void) | undefined): void {
  const leave = useRef(onLeave);
  leave.current = onLeave;
  useEffect(() => {
    const onKey = ({ key }: KeyboardEvent) => key === 'Escape' && leave.current?.();
    const onScreen = () => document.fullscreenElement === null && leave.current?.();
    window.addEventListener('keydown', onKey);
    document.addEventListener('fullscreenchange', onScreen);
    return () => {
      window.removeEventListener('keydown', onKey);
      document.removeEventListener('fullscreenchange', onScreen);
      leaveFullScreen();
    };
  }, []);
}

/** A stream that ended in order reconnects within this time. */
const RECONNECT_GRACE_MS = 5_000;

interface Props {
  readonly name: string;
  /** Shown beside the clock. */
  readonly note?: string | null;
  /** Shows the next board; absent when there is one only. */
  readonly onNext?: (() => void) | undefined;
  /** Absent on a wall that is the whole page. */
  readonly onLeave?: (() => void) | undefined;
  readonly children: ReactNode;
}

/** The board alone, for a wall screen. A clock shows that the page is running, and a lost connection is reported with its time. */
export function Wall({ name, note = null, onNext, onLeave, children }: Props) {
  useWakeLock();
  useEscape(onLeave);
  const lostSince = useLostSince();
  const now = useNow('seconds');
  const isStale = lostSince !== null && now - lostSince >= RECONNECT_GRACE_MS;
  return (
    <div className={classes.wall}>
      <Group justify="space-between" mb="xs">
        <Title order={1} size="h3">
          {name}
        </Title>
        <Group gap="sm">
          {note ? (
            <Text size="sm" c="dimmed">
              {note}
            </Text>
          ) : null}
          <Text className="tabular" fw={600}>
            {exactTime(now)}
          </Text>
          {onNext ? (
            <WallButton label={words.nextBoard} onClick={onNext}>
              <IconChevronRight size={18} />
            </WallButton>
          ) : null}
          {onLeave ? (
            <WallButton label={words.leaveWall} onClick={onLeave}>
              <IconX size={18} />
            </WallButton>
          ) : (
            <WallButton label={words.wall} onClick={requestFullScreen}>
              <IconMaximize size={18} />
            </WallButton>
          )}
        </Group>
      </Group>
      {isStale ? (
        <Alert
          color="red"
          variant="filled"
          mb="xs"
          role="alert"
          icon={<IconPlugConnectedX aria-hidden />}
        >
          {words.stale(exactTime(lostSince), relativeTime(lostSince, now))}
        </Alert>
      ) : null}
      <div className={classes.picture} data-stale={isStale || undefined}>
        {children}
      </div>
    </div>
  );
}

interface ButtonProps {
  readonly label: string;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

function WallButton({ label, onClick, children }: ButtonProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" size={36} aria-label={label} onClick={onClick}>
        {children}
      </ActionIcon>
    </Tooltip>
  );
}
