import { useRef } from 'react';
import type { Widget } from '../dashboards/index.ts';
import { type Dashboard, useEdited, useWrite } from '../service/index.ts';
import { useVersion } from '../ui/index.ts';
import { useDraft } from './draft.ts';

type ById = Record<string, Widget>;

const byId = (widgets: readonly Widget[]): ById =>
  Object.fromEntries(widgets.map((widget) => [widget.id, widget]));

/** The draft of a Dashboard that other users may edit at the same time; merged widget by widget. */
export function useVersionedDraft(dashboard: Dashboard) {
  const { id: dashboardId, configuration } = dashboard;
  const draft = useDraft(configuration.widgets);
  const update = useWrite('updateDashboard');
  const latest = useRef(draft.widgets);
  latest.current = draft.widgets;
  const version = useVersion<ById>(
    {
      read: () => byId(latest.current),
      write: (values, stored) => draft.carryOver(Object.values(values), Object.values(stored)),
      mark: () => undefined,
    },
    {
      initialValues: byId(configuration.widgets),
      edited: useEdited('retrieveDashboard', { dashboardId }, (current) =>
        byId(current.configuration.widgets),
      ),
    },
  );
  const save = async () => {
    const kept = draft.widgets;
    const ifMatch = await version.ifMatch();
    try {
      const body = { configuration: { ...configuration, widgets: [...kept] } };
      await update.mutateAsync({ dashboardId, body, ifMatch });
    } catch (error) {
      version.isConflict(error);
      throw error;
    }
    draft.markSaved(kept);
    version.follow(byId(kept));
  };
  return { draft, save, conflict: version.conflict };
}
