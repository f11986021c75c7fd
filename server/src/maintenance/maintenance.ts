import { type Clock, every, type Log, type NewId } from '../runtime/index.ts';
import type { Storage } from '../storage/index.ts';
import { hasHeldBehind, releaseBehind } from './suppression/index.ts';
import {
  advanceDue,
  createWindows,
  hasDue,
  type OnTurn,
  type SendWindowMessage,
  type Windows,
} from './windows/index.ts';

export interface MaintenanceDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly log: Log;
  readonly newId: NewId;
  readonly onlineMinutes: number;
  /** Called when notifications were put into the outbox. */
  readonly onReleased: () => void;
  /** Has a message about a window sent. */
  readonly send: SendWindowMessage;
  /** Called when a window began, ended or was changed, in the transaction of that. */
  readonly onTurn: OnTurn;
  /** Called between the steps, so that a test can end the process there. */
  readonly failpoint: (name: string) => void;
}

/** Maintenance windows, and the end of what is held back. */
export interface Maintenance {
  readonly windows: Windows;
  start(): void;
  stop(): Promise<void>;
}

const TICK_MS = 1_000;

export function createMaintenance(deps: MaintenanceDeps): Maintenance {
  const { log } = deps;
  const ticks = every(
    TICK_MS,
    () => tick(deps),
    (error) => log.debug({ err: error }, 'held notifications could not be read; trying again'),
  );
  return { windows: createWindows(deps), start: ticks.start, stop: ticks.stop };
}

async function tick(deps: MaintenanceDeps) {
  const { storage, clock, newId, onlineMinutes, onReleased } = deps;
  const now = clock.now();
  const { background } = storage;
  const isAdvanced = (await hasDue(background, now)) && (await advanceDue(background, deps, now));
  const onlineMs = onlineMinutes * 60_000;
  const isReleased =
    (await hasHeldBehind(background)) &&
    (await background.transaction((tx) => releaseBehind(tx, { newId, now, onlineMs })));
  if (isAdvanced || isReleased) onReleased();
}
