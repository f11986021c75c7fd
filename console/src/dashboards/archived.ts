import { useRead } from '../service/index.ts';

const NONE: ReadonlySet<string> = new Set();

/** The ids of archived Dashboards. A record does not have the archived state; only the lists do. */
export function useArchivedIds(enabled = true): ReadonlySet<string> {
  const { data } = useRead(
    'listDashboards',
    { query: { archivedScope: 'archived', take: 1000 } },
    { enabled },
  );
  return data ? new Set(data.items.map(({ id }) => id)) : NONE;
}
