import { Anchor, Button } from '@mantine/core';
import {
  createRootRoute,
  createRoute,
  createRouter,
  Link,
  lazyRouteComponent,
} from '@tanstack/react-router';
import { strings } from '../strings/index.ts';
import { Empty, Loading, Page } from '../ui/index.ts';
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

function Broken() {
  const { title, text, reload } = strings.app.broken;
  return (
    <Page title={title}>
      <Empty
        title={text}
        action={<Button onClick={() => window.location.reload()}>{reload}</Button>}
      />
    </Page>
  );
}

const routes = [
  createRoute({
    getParentRoute: () => root,
    path: '/',
    component: lazyRouteComponent(() => import('../overview/index.ts'), 'OverviewPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/devices',
    component: lazyRouteComponent(() => import('../devices/index.ts'), 'DevicesPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/devices/$deviceId',
    component: lazyRouteComponent(() => import('../devices/index.ts'), 'DevicePage'),
  }),
];

export const router = createRouter({
  routeTree: root.addChildren(routes),
  defaultPendingComponent: () => <Loading rows={5} />,
  defaultErrorComponent: Broken,
  defaultPreload: 'intent',
  scrollRestoration: true,
});
