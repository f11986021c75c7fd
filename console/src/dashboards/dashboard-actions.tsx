import { ActionIcon, Button, Menu } from '@mantine/core';
import {
  IconArchive,
  IconCopy,
  IconDots,
  IconHistory,
  IconMaximize,
  IconPencil,
  IconSettings,
} from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type Dashboard, useWrite } from '../data/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { Confirm, tell, tellFailure } from '../ui/index.ts';
import { DashboardForm } from './dashboard-form.tsx';
import { Versions } from './versions.tsx';

const words = strings.dashboards;
const icon = { size: 16, 'aria-hidden': true } as const;

interface Given {
  readonly dashboard: Dashboard;
  readonly onWall: () => void;
}

export function DashboardActions({ dashboard, onWall }: Given) {
  const { may } = useSession();
  const navigate = useNavigate();
  const archive = useWrite('archiveDashboard');
  const duplicate = useWrite('duplicateDashboard');
  const [asking, setAsking] = useState<'settings' | 'versions' | 'archive' | null>(null);
  const close = () => setAsking(null);
  const copy = async () => {
    try {
      const { id } = await duplicate.mutateAsync({ dashboardId: dashboard.id });
      tell(words.view.duplicated);
      await navigate({ to: `/dashboards/${id}/edit` });
    } catch (error) {
      tellFailure(error);
    }
  };
  return (
    <>
      <Button variant="default" leftSection={<IconMaximize {...icon} />} onClick={onWall}>
        {words.view.wall}
      </Button>
      {may('WriteDashboards') ? (
        <>
          <Button
            component={Link}
            to={`/dashboards/${dashboard.id}/edit`}
            leftSection={<IconPencil {...icon} />}
          >
            {words.view.edit}
          </Button>
          <MoreMenu onChoose={setAsking} onDuplicate={() => void copy()} />
        </>
      ) : null}
      <DashboardForm editing={asking === 'settings' ? dashboard : null} onClose={close} />
      <Versions dashboard={dashboard} isOpen={asking === 'versions'} onClose={close} />
      <Confirm
        title={words.archive.title(dashboard.name)}
        action={strings.ui.archive}
        isOpen={asking === 'archive'}
        onClose={close}
        onConfirm={async () => {
          await archive.mutateAsync({ dashboardId: dashboard.id });
          await navigate({ to: '/dashboards' });
          tell(words.archive.done);
        }}
      >
        {words.archive.text}
      </Confirm>
    </>
  );
}

interface MenuProps {
  readonly onChoose: (what: 'settings' | 'versions' | 'archive') => void;
  readonly onDuplicate: () => void;
}

function MoreMenu({ onChoose, onDuplicate }: MenuProps) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={strings.ui.more}>
          <IconDots {...icon} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconHistory {...icon} />} onClick={() => onChoose('versions')}>
          {words.view.versions}
        </Menu.Item>
        <Menu.Item leftSection={<IconSettings {...icon} />} onClick={() => onChoose('settings')}>
          {words.view.settings}
        </Menu.Item>
        <Menu.Item leftSection={<IconCopy {...icon} />} onClick={onDuplicate}>
          {words.view.duplicate}
        </Menu.Item>
        <Menu.Item leftSection={<IconArchive {...icon} />} onClick={() => onChoose('archive')}>
          {strings.ui.archive}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
