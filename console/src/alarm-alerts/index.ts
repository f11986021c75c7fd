export { AlarmAlerts } from './alarm-alerts.tsx';
export { AlertSettings } from './alert-settings.tsx';
