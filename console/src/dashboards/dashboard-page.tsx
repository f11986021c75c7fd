import { Alert, Anchor } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { compact, type Dashboard, type Raw, useFilters, useRead } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { ArchivedBadge, Empty, Page, RecordPage } from '../ui/index.ts';
import { useArchivedIds } from './archived.ts';
import { Board } from './board.tsx';
import { DashboardActions } from './dashboard-actions.tsx';
import { usePublished } from './published.ts';
import { requestFullScreen, Wall } from './wall.tsx';

const words = strings.dashboards.view;

const parse = (raw: Raw) => compact({ wall: raw.wall === true ? true : undefined });

export function DashboardPage() {
  const { dashboardId } = useParams({ strict: false }) as { dashboardId: string };
  const query = useRead('retrieveDashboard', { dashboardId }, { refetchIntervalMs: 60_000 });
  return (
    <RecordPage query={query} list={{ title: strings.dashboards.title, path: '/dashboards' }}>
      {(dashboard) => <DashboardView key={dashboard.id} dashboard={dashboard} />}
    </RecordPage>
  );
}

/** The published version, or the draft where none is published or the user selects it. */
function DashboardView({ dashboard }: { dashboard: Dashboard }) {
  const [{ wall }, setFilters] = useFilters(parse);
  const [isDraft, setIsDraft] = useState(false);
  const published = usePublished(dashboard);
  const shown = (isDraft ? null : published.configuration) ?? dashboard.configuration;
  const isArchived = useArchivedIds().has(dashboard.id);
  const board = (
    <Board widgets={shown.widgets} refreshIntervalSeconds={dashboard.refreshIntervalSeconds} />
  );
  if (wall) {
    return (
      <Wall name={dashboard.name} onLeave={() => setFilters({ wall: undefined })}>
        {board}
      </Wall>
    );
  }
  const trail = (
    <Link to="/dashboards" className="linked">
      {strings.dashboards.title}
    </Link>
  );
  return (
    <Page
      title={dashboard.name}
      trail={trail}
      about={isArchived ? <ArchivedBadge /> : null}
      actions={
        <DashboardActions
          dashboard={dashboard}
          isArchived={isArchived}
          onWall={() => {
            requestFullScreen();
            setFilters({ wall: true });
          }}
        />
      }
    >
      {isArchived ? (
        <Alert color="gray" mb="sm" p="xs">
          {words.isArchived}
        </Alert>
      ) : null}
      {published.isKnown && !isArchived ? (
        <DraftNote {...published} isDraft={isDraft} onChange={setIsDraft} />
      ) : null}
      {shown.widgets.length === 0 ? <Empty title={words.empty}>{words.emptyHint}</Empty> : board}
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
    <Alert color="blue" mb="sm" p="xs">
      {text}{' '}
      {configuration === null ? null : (
        <Anchor component="button" type="button" size="sm" onClick={() => onChange(!isDraft)}>
          {isDraft ? words.showPublished : words.showDraft}
        </Anchor>
      )}
    </Alert>
  );
}
