import { useRef } from 'react';
import type { Widget } from '../dashboards/index.ts';
import { type Dashboard, useEdited, useWrite } from '../service/index.ts';
import { useVersion } from '../ui/index.ts';
import { type BoardSettings, type Content, useDraft } from './draft.ts';

type Parts = Record<string, Widget | BoardSettings>;

/** No widget has an empty id. */
const SETTINGS = '';

/** The parts of a board that are merged one by one: each widget, and its settings. */
const partsOf = ({ widgets, settings }: Content): Parts => ({
  ...Object.fromEntries(widgets.map((widget) => [widget.id, widget])),
  [SETTINGS]: settings,
});

function contentOf({ [SETTINGS]: settings = {}, ...widgets }: Parts): Content {
  return { widgets: Object.values(widgets) as Widget[], settings: settings as BoardSettings };
}

function contentIn({ widgets, template, rangeSeconds }: Dashboard['configuration']): Content {
  return {
    widgets,
    settings: {
      ...(template === undefined ? {} : { template }),
      ...(rangeSeconds === undefined ? {} : { rangeSeconds }),
    },
  };
}

/** The draft of a Dashboard that other users may edit at the same time; merged widget by widget. */
export function useVersionedDraft(dashboard: Dashboard) {
  const { id: dashboardId, configuration } = dashboard;
  const first = contentIn(configuration);
  const draft = useDraft(first);
  const update = useWrite('updateDashboard');
  const current: Content = { widgets: draft.widgets, settings: draft.settings };
  const latest = useRef(current);
  latest.current = current;
  const version = useVersion<Parts>(
    {
      read: () => partsOf(latest.current),
      write: (values, stored) => draft.carryOver(contentOf(values), contentOf(stored)),
      mark: () => undefined,
    },
    {
      initialValues: partsOf(first),
      edited: useEdited('retrieveDashboard', { dashboardId }, (stored) =>
        partsOf(contentIn(stored.configuration)),
      ),
    },
  );
  const save = async () => {
    const kept = current;
    const ifMatch = await version.ifMatch();
    const { template: _, rangeSeconds: __, ...unknown } = configuration;
    try {
      const body = {
        configuration: { ...unknown, ...kept.settings, widgets: [...kept.widgets] },
      };
      await update.mutateAsync({ dashboardId, body, ifMatch });
    } catch (error) {
      version.isConflict(error);
      throw error;
    }
    draft.markSaved(kept);
    version.follow(partsOf(kept));
  };
  return { draft, save, conflict: version.conflict };
}
