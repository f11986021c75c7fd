import { operations } from '@fieldwatch/contract';
import type { Serve } from '../http/index.ts';
import type { Dashboards } from './dashboards.ts';

export function dashboardRoutes(serve: Serve, dashboards: Dashboards): void {
  serve(operations.listDashboards, dashboards.list);
  serve(operations.retrieveDashboard, dashboards.retrieve);
  serve(operations.listDashboardHistories, dashboards.history.list);
  serve(operations.retrieveDashboardHistory, dashboards.history.retrieve);
  serve(operations.createDashboard, dashboards.create);
  serve(operations.updateDashboard, dashboards.update);
  serve(operations.duplicateDashboard, dashboards.duplicate);
  serve(operations.archiveDashboard, dashboards.archive);
  serve(operations.restoreDashboard, dashboards.restore);
  serve(operations.publishDashboard, dashboards.history.publish);
  serve(operations.restoreDashboardHistory, dashboards.history.restore);
  serve(operations.listShareLinks, dashboards.shareLinks.list);
  serve(operations.createShareLink, dashboards.shareLinks.create);
  serve(operations.retrieveShareLink, dashboards.shareLinks.retrieve);
  serve(operations.revokeShareLink, dashboards.shareLinks.revoke);
  serve(operations.retrieveSharedDashboard, dashboards.sharedBoard.retrieve);
  serve(operations.retrieveSharedState, dashboards.sharedBoard.state);
  serve(operations.listSharedReadings, dashboards.sharedBoard.readings);
}
