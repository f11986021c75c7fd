import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useAlarmListener } from '../live/index.ts';
import type { AlarmEvent } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { claimAlert } from './claims.ts';
import { followOtherTabs, readSettings } from './settings.ts';
import { playAlarmSound } from './sound.ts';

const words = strings.alarmAlerts;

/** Reports new alarms of the selected severities by sound and browser notification. */
export function AlarmAlerts() {
  const navigate = useNavigate();
  useEffect(followOtherTabs, []);
  const open = (eventId: string) => void navigate({ to: `/alarms/events/${eventId}` });
  useAlarmListener((change, event) => {
    if (change === 'RAISED' && !event.isShelved) void report(event, open);
  });
  return null;
}

async function report(event: AlarmEvent, open: (eventId: string) => void): Promise<void> {
  const { sound, notification } = readSettings();
  const [sounds, shows] = [sound.includes(event.severity), notification.includes(event.severity)];
  if (!(sounds || shows) || !(await claimAlert(event.id))) return;
  if (sounds) void playAlarmSound().catch(() => undefined);
  if (shows) showNotification(event, open);
}

function showNotification(event: AlarmEvent, open: (eventId: string) => void): void {
  if (!('Notification' in window) || Notification.permission !== 'granted') return;
  const { id, alarmName, severity, deviceName, deviceVariableName } = event;
  try {
    const shown = new Notification(`${strings.severities[severity]}: ${alarmName}`, {
      body: words.body(deviceName, deviceVariableName),
      tag: id,
      icon: '/icon.svg',
    });
    shown.onclick = () => {
      window.focus();
      open(id);
      shown.close();
    };
  } catch {
    // Browsers of phones show notifications by service workers only.
  }
}
