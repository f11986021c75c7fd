import { WIDGET_TYPES } from '@fieldwatch/contract';
import { Box, Button, Grid, Menu } from '@mantine/core';
import { Link, useBlocker, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { type Widget, withCopy, withNew } from '../dashboards/index.ts';
import { IconArrowBackUp, IconPlus } from '../icons/index.ts';
import { type Dashboard, isVersionConflict, useRead } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import {
  attempt,
  Confirm,
  EditConflictNote,
  NotAllowed,
  Page,
  Panel,
  RecordPage,
} from '../ui/index.ts';
import { EditorGrid } from './editor-grid.tsx';
import { Publish } from './publish.tsx';
import { useVersionedDraft } from './versioned-draft.ts';
import { WidgetSettings } from './widget-settings.tsx';

const words = strings.dashboards.edit;

export function DashboardEditorPage() {
  const { dashboardId } = useParams({ strict: false }) as { dashboardId: string };
  const query = useRead('retrieveDashboard', { dashboardId });
  const { may } = useSession();
  if (!may('WriteDashboards')) return <NotAllowed />;
  return (
    <RecordPage query={query} list={{ title: strings.dashboards.title, path: '/dashboards' }}>
      {(dashboard) => <Editor key={dashboard.id} dashboard={dashboard} />}
    </RecordPage>
  );
}

/** The draft on a grid with live values, and the settings of the selected widget beside it. */
function Editor({ dashboard }: { dashboard: Dashboard }) {
  const { draft, save, conflict } = useVersionedDraft(dashboard);
  const [selectedId, setSelectedId] = useState<string | null>(null);
  const [isPublishing, setIsPublishing] = useState(false);
  const navigate = useNavigate();
  const selected = draft.widgets.find(({ id }) => id === selectedId) ?? null;
  const saveToPublish = async () => {
    try {
      await save();
    } catch (error) {
      if (isVersionConflict(error)) setIsPublishing(false);
      throw error;
    }
  };
  return (
    <Page
      title={words.title(dashboard.name)}
      trail={
        <Link to={`/dashboards/${dashboard.id}`} className="linked">
          {dashboard.name}
        </Link>
      }
      actions={
        <>
          <AddMenu widgets={draft.widgets} onAdd={draft.change} onSelect={setSelectedId} />
          <Button
            variant="default"
            leftSection={<IconArrowBackUp size={16} aria-hidden />}
            disabled={!draft.canUndo}
            onClick={draft.undo}
          >
            {words.undo}
          </Button>
          <Button
            variant="default"
            disabled={!draft.isChanged}
            onClick={() => void attempt(save(), words.saved)}
          >
            {words.save}
          </Button>
          <Button onClick={() => setIsPublishing(true)}>{words.publish}</Button>
        </>
      }
    >
      {conflict ? (
        <Box mb="md">
          <EditConflictNote conflict={conflict} />
        </Box>
      ) : null}
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 9 }}>
          <EditorGrid
            widgets={draft.widgets}
            refreshMs={dashboard.refreshIntervalSeconds * 1_000}
            selectedId={selectedId}
            onSelect={setSelectedId}
            onChange={draft.change}
          />
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 3 }}>
          <Panel title={words.settings}>
            <WidgetSettings
              widget={selected}
              widgets={draft.widgets}
              onChange={draft.change}
              onDuplicate={(widget) => {
                const next = withCopy(draft.widgets, widget);
                draft.change(next);
                setSelectedId(next.at(-1)?.id ?? null);
              }}
            />
          </Panel>
        </Grid.Col>
      </Grid>
      <Publish
        dashboardId={dashboard.id}
        isOpen={isPublishing}
        save={saveToPublish}
        onClose={() => setIsPublishing(false)}
        onPublished={() => void navigate({ to: `/dashboards/${dashboard.id}` })}
      />
      <Leaving isChanged={draft.isChanged} />
    </Page>
  );
}

interface AddProps {
  readonly widgets: readonly Widget[];
  readonly onAdd: (widgets: Widget[]) => void;
  readonly onSelect: (id: string) => void;
}

function AddMenu({ widgets, onAdd, onSelect }: AddProps) {
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />}>
          {words.add}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {WIDGET_TYPES.map((type) => (
          <Menu.Item
            key={type}
            onClick={() => {
              const next = withNew(widgets, type);
              onAdd(next);
              onSelect(next.at(-1)?.id ?? '');
            }}
          >
            {strings.dashboards.types[type]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Asks before unsaved changes are lost, also when the tab is closed. */
function Leaving({ isChanged }: { isChanged: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: () => isChanged,
    enableBeforeUnload: isChanged,
    withResolver: true,
  });
  return (
    <Confirm
      title={words.leave}
      action={words.leave}
      isOpen={blocker.status === 'blocked'}
      onClose={() => blocker.reset?.()}
      onConfirm={async () => blocker.proceed?.()}
    >
      {words.unsaved}
    </Confirm>
  );
}
