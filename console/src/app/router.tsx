import { ConnectionError } from '@fieldwatch/client';
import { Anchor, Button } from '@mantine/core';
import {
  createRootRoute,
  createRoute,
  createRouter,
  type ErrorComponentProps,
  Link,
  lazyRouteComponent,
  useRouter,
} from '@tanstack/react-router';
import { type ComponentType, useEffect, useRef } from 'react';
import { useLiveState } from '../live/index.ts';
import { loadScript } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { Empty, Failed, Loading, Page } from '../ui/index.ts';
import { Shell } from './shell.tsx';

const root = createRootRoute({ component: Shell, notFoundComponent: Missing });

function Missing() {
  const { title, text, home } = strings.app.missing;
  return (
    <Page title={title}>
      <Empty
        title={text}
        action={
          <Anchor component={Link} to="/">
            {home}
          </Anchor>
        }
      />
    </Page>
  );
}

function Broken({ error }: ErrorComponentProps) {
  const { title, text, reload } = strings.app.broken;
  const router = useRouter();
  const isUnreachable = error instanceof ConnectionError;
  const isLive = useLiveState() === 'live';
  const wasLost = useRef(false);
  useEffect(() => {
    if (!isLive) wasLost.current = true;
    else if (wasLost.current && isUnreachable) void router.invalidate();
  }, [isLive, isUnreachable, router]);
  if (isUnreachable) {
    return (
      <Page title={strings.app.broken.unloaded}>
        <Failed error={error} onRetry={() => void router.invalidate()} />
      </Page>
    );
  }
  return (
    <Page title={title}>
      <Empty
        title={text}
        action={<Button onClick={() => window.location.reload()}>{reload}</Button>}
      />
    </Page>
  );
}

/** A route whose component is loaded on first use. */
function page<Name extends string>(
  path: string,
  load: () => Promise<{ readonly [N in Name]: ComponentType }>,
  name: Name,
) {
  return createRoute({
    getParentRoute: () => root,
    path,
    component: lazyRouteComponent(() => loadScript(load), name),
  });
}

const overview = () => import('../overview/index.ts');
const alarms = () => import('../alarms/index.ts');
const devices = () => import('../devices/index.ts');
const variables = () => import('../variables/index.ts');
const dashboards = () => import('../dashboards/index.ts');
const dashboardEditor = () => import('../dashboard-editor/index.ts');
const locations = () => import('../locations/index.ts');
const assets = () => import('../assets/index.ts');
const onboarding = () => import('../onboarding/index.ts');
const account = () => import('../account/index.ts');
const administration = () => import('../administration/index.ts');

const routes = [
  page('/', overview, 'OverviewPage'),
  page('/welcome', onboarding, 'WelcomePage'),
  page('/alarms', alarms, 'ActiveAlarmsPage'),
  page('/alarms/history', alarms, 'AlarmHistoryPage'),
  page('/alarms/statistics', alarms, 'AlarmStatisticsPage'),
  page('/alarms/pages', alarms, 'PagesPage'),
  page('/alarms/pages/$pageId', alarms, 'PagePage'),
  page('/alarms/maintenance', alarms, 'MaintenancePage'),
  page('/alarms/maintenance/$maintenanceWindowId', alarms, 'MaintenanceWindowPage'),
  page('/alarms/events/$eventId', alarms, 'AlarmEventPage'),
  page('/alarms/configurations', alarms, 'AlarmConfigurationsPage'),
  page('/alarms/configurations/new', alarms, 'NewAlarmPage'),
  page('/alarms/configurations/$alarmId', alarms, 'AlarmPage'),
  page('/devices', devices, 'DevicesPage'),
  page('/devices/$deviceId', devices, 'DevicePage'),
  page('/variables', variables, 'VariablesPage'),
  page('/variables/$variableId', variables, 'VariablePage'),
  page('/assets', assets, 'AssetsPage'),
  page('/assets/$assetId', assets, 'AssetPage'),
  page('/dashboards', dashboards, 'DashboardsPage'),
  page('/dashboards/$dashboardId', dashboards, 'DashboardPage'),
  page('/dashboards/$dashboardId/edit', dashboardEditor, 'DashboardEditorPage'),
  page('/locations', locations, 'LocationsPage'),
  page('/locations/$locationId', locations, 'LocationPage'),
  page('/account', account, 'AccountPage'),
  // An invitation link opened by a signed-in user.
  page('/invitation', account, 'AccountPage'),
  page('/administration', administration, 'AdministrationPage'),
  page('/administration/$tab', administration, 'AdministrationPage'),
];

export const router = createRouter({
  routeTree: root.addChildren(routes),
  defaultPendingComponent: () => <Loading rows={5} />,
  defaultErrorComponent: Broken,
  defaultPreload: 'intent',
  scrollRestoration: true,
});
