import { Select, Stack } from '@mantine/core';
import { useMemo, useState } from 'react';
import {
  BoardViewContext,
  useResolvedWidgets,
  useTemplateTargets,
  viewOf,
  type Widget,
} from '../dashboards/index.ts';
import type { Dashboard } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { Panel } from '../ui/index.ts';
import { BoardSettingsFields } from './board-settings.tsx';
import { EditorGrid } from './editor-grid.tsx';
import type { useVersionedDraft } from './versioned-draft.ts';
import { WidgetSettings } from './widget-settings.tsx';

const words = strings.dashboards.edit;

export type Draft = ReturnType<typeof useVersionedDraft>['draft'];

interface PreviewProps {
  readonly dashboard: Dashboard;
  readonly draft: Draft;
  readonly selectedId: string | null;
  readonly onSelect: (id: string | null) => void;
  readonly onDuplicate: (widget: Widget) => void;
  readonly onRemove: (widget: Widget) => void;
}

/** The grid with live values; that of a template with the values of a site or an Asset. */
export function Preview(props: PreviewProps) {
  const { dashboard, draft, selectedId, onSelect, onDuplicate, onRemove } = props;
  const { widgets, settings } = draft;
  const [chosen, setChosen] = useState<string | null>(null);
  const targets = useTemplateTargets(settings.template);
  const target = chosen ?? targets?.options?.[0]?.value;
  const configuration = useMemo(
    () => ({ version: 1 as const, widgets: [...widgets], ...settings }),
    [widgets, settings],
  );
  const resolved = useResolvedWidgets(configuration, targets ? target : undefined);
  const view = useMemo(
    () => ({ ...viewOf(configuration, dashboard.refreshIntervalSeconds, {}), hasLinks: false }),
    [configuration, dashboard.refreshIntervalSeconds],
  );
  return (
    <BoardViewContext value={view}>
      {targets ? (
        <Select
          label={words.preview}
          mb="sm"
          maw={320}
          data={targets.options ?? []}
          value={target ?? null}
          onChange={setChosen}
          limit={200}
          searchable
          allowDeselect={false}
        />
      ) : null}
      <EditorGrid
        widgets={widgets}
        shown={resolved.widgets}
        selectedId={selectedId}
        onSelect={onSelect}
        onChange={draft.change}
        onDuplicate={onDuplicate}
        onRemove={onRemove}
      />
    </BoardViewContext>
  );
}

interface SideProps {
  readonly draft: Draft;
  readonly selectedId: string | null;
  readonly onDuplicate: (widget: Widget) => void;
  readonly onRemove: (widget: Widget) => void;
}

export function SidePanels({ draft, selectedId, onDuplicate, onRemove }: SideProps) {
  return (
    <Stack gap="md">
      <Panel title={words.settings}>
        <WidgetSettings
          widget={draft.widgets.find(({ id }) => id === selectedId) ?? null}
          widgets={draft.widgets}
          onChange={draft.change}
          onDuplicate={onDuplicate}
          onRemove={onRemove}
          isTemplate={draft.settings.template !== undefined}
        />
      </Panel>
      <Panel title={words.board}>
        <BoardSettingsFields settings={draft.settings} onChange={draft.changeSettings} />
      </Panel>
    </Stack>
  );
}
