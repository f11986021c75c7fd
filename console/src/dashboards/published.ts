import { type Dashboard, useRead } from '../service/index.ts';

/** The last published version, if any, and whether the draft differs from it. */
export function usePublished(dashboard: Dashboard | undefined) {
  const dashboardId = dashboard?.id ?? '';
  const enabled = dashboard !== undefined;
  const { data: versions } = useRead(
    'listDashboardHistories',
    { dashboardId, query: { take: 1 } },
    { enabled },
  );
  const historyId = versions?.items[0]?.id ?? '';
  const { data: version } = useRead(
    'retrieveDashboardHistory',
    { dashboardId, historyId },
    { enabled: enabled && historyId !== '' },
  );
  const isKnown = versions !== undefined && (versions.count === 0 || version !== undefined);
  return {
    isKnown,
    configuration: version?.configuration ?? null,
    hasChanged:
      version !== undefined &&
      JSON.stringify(version.configuration) !== JSON.stringify(dashboard?.configuration),
  };
}
