import { SEVERITIES, type Severity } from '@fieldwatch/contract';
import { useSyncExternalStore } from 'react';
import { createSignal, onStoredByOtherTab, readStored, writeStored } from '../runtime/index.ts';

const NAME = 'alarm-alerts';

/** The severities whose new alarms sound and show a notification; none unless a user selects them. */
export interface AlertSettings {
  readonly sound: readonly Severity[];
  readonly notification: readonly Severity[];
}

export type AlertKind = keyof AlertSettings;

const OFF: AlertSettings = { sound: [], notification: [] };

export function parseSettings(stored: string | null): AlertSettings {
  try {
    const parsed: unknown = JSON.parse(stored ?? '{}');
    const { sound, notification } = Object(parsed) as Record<string, unknown>;
    return { sound: severitiesIn(sound), notification: severitiesIn(notification) };
  } catch {
    return OFF;
  }
}

function severitiesIn(value: unknown): readonly Severity[] {
  return Array.isArray(value) ? SEVERITIES.filter((severity) => value.includes(severity)) : [];
}

/** The settings after a check box is changed. */
export function withSeverity(
  settings: AlertSettings,
  kind: AlertKind,
  severity: Severity,
  isOn: boolean,
): AlertSettings {
  const chosen = SEVERITIES.filter((each) =>
    each === severity ? isOn : settings[kind].includes(each),
  );
  return { ...settings, [kind]: chosen };
}

const settings = createSignal<AlertSettings>(parseSettings(readStored(NAME)));

/** Takes over changes that another tab stores, until the returned function is called. */
export const followOtherTabs = () =>
  onStoredByOtherTab(NAME, (stored) => settings.set(parseSettings(stored)));

export const readSettings = settings.read;

export function useAlertSettings(): [AlertSettings, (next: AlertSettings) => void] {
  const current = useSyncExternalStore(settings.subscribe, settings.read);
  const change = (next: AlertSettings) => {
    settings.set(next);
    writeStored(NAME, JSON.stringify(next));
  };
  return [current, change];
}
