import type { MaintenanceWindow } from '@fieldwatch/contract';
import { Text } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import {
  EndButton,
  ScopeNames,
  severitiesText,
  WindowForm,
  WindowMode,
  WindowState,
  WindowTimes,
} from '../maintenance/index.ts';
import { useRead } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { maintenance as words } from '../strings/index.ts';
import {
  DeleteAction,
  Details,
  EditButton,
  Page,
  Panel,
  RecordDialog,
  RecordPage,
  Timestamp,
} from '../ui/index.ts';

const LIST = '/alarms/maintenance';

/** One maintenance window: what it covers, when, and what it holds back. */
export function MaintenanceWindowPage() {
  const { maintenanceWindowId } = useParams({ strict: false }) as { maintenanceWindowId: string };
  const query = useRead(
    'retrieveMaintenanceWindow',
    { maintenanceWindowId },
    { refetchIntervalMs: 15_000 },
  );
  return (
    <RecordPage query={query} list={{ title: words.title, path: LIST }}>
      {(window) => <WindowView window={window} />}
    </RecordPage>
  );
}

function WindowView({ window }: { window: MaintenanceWindow }) {
  const trail = (
    <Link to={LIST} className="linked">
      {words.title}
    </Link>
  );
  return (
    <Page
      title={window.reason}
      trail={trail}
      about={
        <>
          <WindowState state={window.state} /> <WindowMode mode={window.mode} />
        </>
      }
      actions={<Actions window={window} />}
      record={{ resource: 'MaintenanceWindow', id: window.id }}
    >
      <Panel title={words.details}>
        <Details
          label={words.details}
          rows={[
            [words.when, <WindowTimes key="when" window={window} />],
            [words.scope, <ScopeNames key="scope" scope={window.scope} />],
            [words.severities, severitiesText(window)],
            [words.held, words.heldCount(window.heldCount)],
            [
              words.createdBy,
              <>
                {window.createdBy}, <Timestamp at={window.createdDateTime} />
              </>,
            ],
          ]}
        />
        <Text size="sm" c="dimmed" mt="sm">
          {words.about}
        </Text>
      </Panel>
    </Page>
  );
}

function Actions({ window }: { window: MaintenanceWindow }) {
  const { may } = useSession();
  const [editing, setEditing] = useState<MaintenanceWindow | null>(null);
  if (!may('ManageMaintenance')) return null;
  return (
    <>
      <EndButton window={window} />
      <EditButton onClick={() => setEditing(window)} />
      <DeleteAction
        operation="deleteMaintenanceWindow"
        input={{ maintenanceWindowId: window.id }}
        name={window.reason}
        leaveTo={LIST}
      >
        {words.removeText}
      </DeleteAction>
      <RecordDialog words={words} editing={editing} onClose={() => setEditing(null)}>
        {(edited) => <WindowForm window={edited} onClose={() => setEditing(null)} />}
      </RecordDialog>
    </>
  );
}
