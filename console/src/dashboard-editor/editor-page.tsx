import { WIDGET_TYPES } from '@fieldwatch/contract';
import { Box, Button, Grid, Menu } from '@mantine/core';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { type RefObject, useRef, useState } from 'react';
import { type Widget, withCopy, withNew } from '../dashboards/index.ts';
import { IconArrowBackUp, IconArrowForwardUp, IconPlus } from '../icons/index.ts';
import { type Dashboard, isVersionConflict, useRead } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import {
  attempt,
  EditConflictNote,
  NotAllowed,
  Page,
  RecordPage,
  UnsavedChanges,
} from '../ui/index.ts';
import { type Draft, Preview, SidePanels } from './editor-parts.tsx';
import { Publish } from './publish.tsx';
import { useUndoKeys } from './undo-keys.ts';
import { useVersionedDraft } from './versioned-draft.ts';

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
  const [isPublishing, setIsPublishing] = useState(false);
  const navigate = useNavigate();
  const addButton = useRef<HTMLButtonElement>(null);
  const { selectedId, onSelect, onDuplicate, onRemove } = useSelected(draft, addButton);
  useUndoKeys(draft);
  const saveToPublish = async () => {
    try {
      await save();
    } catch (error) {
      if (isVersionConflict(error)) setIsPublishing(false);
      throw error;
    }
  };
  const actions = (
    <EditorActions
      draft={draft}
      save={save}
      addButton={addButton}
      onSelect={onSelect}
      onPublish={() => setIsPublishing(true)}
    />
  );
  return (
    <Page
      title={words.title(dashboard.name)}
      trail={<Trail {...dashboard} />}
      actions={actions}
      isWide
    >
      {conflict ? (
        <Box mb="md">
          <EditConflictNote conflict={conflict} />
        </Box>
      ) : null}
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 9 }}>
          <Preview {...{ dashboard, draft, selectedId, onSelect, onDuplicate, onRemove }} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 3 }}>
          <SidePanels {...{ draft, selectedId, onDuplicate, onRemove }} />
        </Grid.Col>
      </Grid>
      <Publish
        dashboardId={dashboard.id}
        isOpen={isPublishing}
        save={saveToPublish}
        onClose={() => setIsPublishing(false)}
        onPublished={() => void navigate({ to: `/dashboards/${dashboard.id}` })}
      />
      <UnsavedChanges isChanged={draft.isChanged} />
    </Page>
  );
}

/** The selected widget, which has the focus, and what is done to widgets as a whole. */
function useSelected(draft: Draft, addButton: RefObject<HTMLButtonElement | null>) {
  const [selectedId, onSelect] = useState<string | null>(null);
  return {
    selectedId,
    onSelect,
    onDuplicate(widget: Widget) {
      const next = withCopy(draft.widgets, widget);
      draft.change(next);
      onSelect(next.at(-1)?.id ?? null);
    },
    /** Selects a neighbour, as the focus would be lost with the widget. */
    onRemove({ id }: Widget) {
      const index = draft.widgets.findIndex((each) => each.id === id);
      const next = draft.widgets.toSpliced(index, 1);
      draft.change(next);
      onSelect(next[Math.min(index, next.length - 1)]?.id ?? null);
      if (next.length === 0) addButton.current?.focus();
    },
  };
}

function Trail({ id, name }: Pick<Dashboard, 'id' | 'name'>) {
  return (
    <Link to={`/dashboards/${id}`} className="linked">
      {name}
    </Link>
  );
}

interface ActionsProps {
  readonly draft: Draft;
  readonly save: () => Promise<void>;
  readonly addButton: RefObject<HTMLButtonElement | null>;
  readonly onSelect: (id: string) => void;
  readonly onPublish: () => void;
}

function EditorActions({ draft, save, addButton, onSelect, onPublish }: ActionsProps) {
  return (
    <>
      <AddMenu
        button={addButton}
        widgets={draft.widgets}
        onAdd={draft.change}
        onSelect={onSelect}
      />
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
        leftSection={<IconArrowForwardUp size={16} aria-hidden />}
        disabled={!draft.canRedo}
        onClick={draft.redo}
      >
        {words.redo}
      </Button>
      <Button
        variant="default"
        disabled={!draft.isChanged}
        onClick={() => void attempt(save(), words.saved)}
      >
        {words.save}
      </Button>
      <Button onClick={onPublish}>{words.publish}</Button>
    </>
  );
}

interface AddProps {
  readonly button: RefObject<HTMLButtonElement | null>;
  readonly widgets: readonly Widget[];
  readonly onAdd: (widgets: Widget[]) => void;
  readonly onSelect: (id: string) => void;
}

/** The focus goes to the added widget, where keys move and resize it. */
function AddMenu({ button, widgets, onAdd, onSelect }: AddProps) {
  return (
    <Menu position="bottom-start" returnFocus={false}>
      <Menu.Target>
        <Button ref={button} variant="default" leftSection={<IconPlus size={16} aria-hidden />}>
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
