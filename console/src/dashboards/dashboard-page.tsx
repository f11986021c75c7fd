import { Alert, Anchor, Box } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { type Dashboard, useFilters, useRead } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { ArchivedBadge, Page, RecordPage } from '../ui/index.ts';
import { useArchivedIds } from './archived.ts';
import { parseBoardFilters } from './board-filters.ts';
import { DashboardActions } from './dashboard-actions.tsx';
import { usePublished } from './published.ts';
import { RotatingWall } from './rotating-wall.tsx';
import { ShownBoard } from './shown-board.tsx';
import { requestFullScreen } from './wall.tsx';

const words = strings.dashboards.view;

export function DashboardPage() {
  const { dashboardId } = useParams({ strict: false }) as { dashboardId: string };
  const [filters, setFilters] = useFilters(parseBoardFilters);
  const query = useRead('retrieveDashboard', { dashboardId }, { refetchIntervalMs: 60_000 });
  if (filters.wall) {
    return (
      <RotatingWall
        boardIds={filters.boards?.length ? filters.boards : [dashboardId]}
        filters={filters}
        onFilters={setFilters}
      />
    );
  }
  return (
    <RecordPage query={query} list={{ title: strings.dashboards.title, path: '/dashboards' }}>
      {(dashboard) => <DashboardView key={dashboard.id} dashboard={dashboard} />}
    </RecordPage>
  );
}

/** The published version, or the draft where none is published or the user selects it. */
function DashboardView({ dashboard }: { dashboard: Dashboard }) {
  const [filters, setFilters] = useFilters(parseBoardFilters);
  const [isDraft, setIsDraft] = useState(false);
  const published = usePublished(dashboard);
  const shown = (isDraft ? null : published.configuration) ?? dashboard.configuration;
  const isArchived = useArchivedIds().has(dashboard.id);
  const trail = (
    <Link to="/dashboards" className="linked">
      {strings.dashboards.title}
    </Link>
  );
  return (
    <Page
      title={dashboard.name}
      isWide
      trail={trail}
      about={isArchived ? <ArchivedBadge /> : null}
      actions={
        <Box display="contents" data-print="hidden">
          <DashboardActions
            dashboard={dashboard}
            isArchived={isArchived}
            isPublished={published.configuration !== null}
            template={published.configuration?.template}
            onWall={(change) => {
              requestFullScreen();
              setFilters({ wall: true, ...change });
            }}
          />
        </Box>
      }
      record={{ resource: 'Dashboard', id: dashboard.id }}
    >
      {isArchived ? (
        <Alert color="gray" mb="sm" p="xs">
          {words.isArchived}
        </Alert>
      ) : null}
      {published.isKnown && !isArchived ? (
        <DraftNote {...published} isDraft={isDraft} onChange={setIsDraft} />
      ) : null}
      <ShownBoard
        configuration={shown}
        refreshSeconds={dashboard.refreshIntervalSeconds}
        filters={filters}
        onFilters={setFilters}
        hasControls
      />
    </Page>
  );
}

interface NoteProps {
  readonly configuration: Dashboard['configuration'] | null;
  readonly hasChanged: boolean;
  readonly isDraft: boolean;
  readonly onChange: (isDraft: boolean) => void;
}

function DraftNote({ configuration, hasChanged, isDraft, onChange }: NoteProps) {
  if (configuration !== null && !hasChanged) return null;
  const text = configuration === null ? words.unpublished : isDraft ? words.isDraft : words.changed;
  return (
    <Alert color="blue" mb="sm" p="xs" data-print="hidden">
      {text}{' '}
      {configuration === null ? null : (
        <Anchor component="button" type="button" size="sm" onClick={() => onChange(!isDraft)}>
          {isDraft ? words.showPublished : words.showDraft}
        </Anchor>
      )}
    </Alert>
  );
}
