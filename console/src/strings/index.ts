import { account } from './account.ts';
import { activeAlarms, alarmAlerts } from './active-alarms.ts';
import { administration } from './administration.ts';
import { alarms } from './alarms.ts';
import { app, session } from './app.ts';
import { assets } from './assets.ts';
import { charts } from './charts.ts';
import { dashboards } from './dashboards.ts';
import { devices } from './devices.ts';
import { locations } from './locations.ts';
import { onboarding } from './onboarding.ts';
import { overview } from './overview.ts';
import { failures, severities, ui } from './ui.ts';
import { variables } from './variables.ts';

export { explanation } from './explanation.ts';
export { following } from './following.ts';
export { heartbeats } from './heartbeats.ts';
export { homeAssistant } from './home-assistant.ts';
export { lorawan } from './lorawan.ts';
export { maintenance } from './maintenance.ts';
export { operations } from './operations.ts';
export { contacts, pages, policies, rotas, rules } from './paging.ts';
export { permissions } from './permissions.ts';
export { phoneChannels } from './phone-channels.ts';
export { webhookFormats } from './webhooks.ts';

/**
 * All texts of the console. A translation is another object of this shape. The phrases for operations
 * are a file of their own, since few pages need that many.
 */
export const strings = {
  app,
  session,
  ui,
  failures,
  severities,
  account,
  activeAlarms,
  administration,
  alarmAlerts,
  alarms,
  assets,
  charts,
  dashboards,
  devices,
  locations,
  onboarding,
  overview,
  variables,
} as const;
