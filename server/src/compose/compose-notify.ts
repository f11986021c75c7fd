import type { Config } from '../config.ts';
import type { Http } from '../http/index.ts';
import { createMaintenance, maintenanceRoutes } from '../maintenance/index.ts';
import { createNotify, type Notify, notifyCallbacks, notifyRoutes } from '../notify/index.ts';
import { createPaging, type Paging, pagingCallbacks, pagingRoutes } from '../paging/index.ts';
import type { Lifecycle } from '../runtime/index.ts';
import type { CoreServices } from './core-services.ts';

export interface NotifyServices {
  readonly notify: Notify;
  readonly paging: Paging;
  readonly failpoint: (name: string) => void;
}

/** Notifications, and the pages that they start. */
export function composeNotify(
  core: CoreServices,
  options: {
    readonly config: Config;
    readonly failpoint: (name: string) => void;
    /** Called after people did something to events of the organization by way of a page. */
    readonly onEventsChanged: (organizationId: string) => void;
  },
): NotifyServices {
  const { failpoint, onEventsChanged } = options;
  const { notify: settings } = options.config;
  const paging = createPaging({
    ...core,
    failpoint,
    hasMail: settings.smtp !== null,
    publicUrl: settings.publicUrl,
    onChanged: (organizationId) => {
      onEventsChanged(organizationId);
      notify.wake();
    },
  });
  const notify = createNotify({ ...core, settings, failpoint, pages: paging.hooks });
  return { notify, paging, failpoint };
}

/** Maintenance stops after the delivery worker, which puts nothing back. */
export function startNotify(
  http: Http,
  core: CoreServices,
  { notify, paging, failpoint }: NotifyServices,
  { onStop }: Lifecycle,
): void {
  const { serve } = http;
  const maintenance = createMaintenance({
    ...core,
    failpoint,
    onReleased: notify.wake,
    send: (tx, { subject, lines, ...audience }, now) =>
      notify.sendText(tx, audience, { subject, lines, path: null }, now),
    onTurn: paging.pages.wakeSuppressible,
  });
  maintenance.start();
  onStop('maintenance', maintenance.stop);
  maintenanceRoutes(serve, maintenance);
  notify.start();
  onStop('notify', notify.stop);
  notifyRoutes(serve, notify);
  notifyCallbacks(http, notify);
  paging.rotaMails.start();
  onStop('rota mails', paging.rotaMails.stop);
  pagingRoutes(serve, paging);
  pagingCallbacks(http, paging);
}
