import { ActionIcon, Button, Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import {
  IconArchive,
  IconCopy,
  IconDots,
  IconHistory,
  IconMaximize,
  IconPencil,
  IconSettings,
} from '../icons/index.ts';
import type { Dashboard } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { DashboardForm } from './dashboard-form.tsx';
import { ConfirmArchive, useDuplicate, useRestore } from './lifecycle.tsx';
import { Versions } from './versions.tsx';

const words = strings.dashboards;
const icon = { size: 16, 'aria-hidden': true } as const;

interface Props {
  readonly dashboard: Dashboard;
  readonly isArchived: boolean;
  readonly onWall: () => void;
}

export function DashboardActions({ dashboard, isArchived, onWall }: Props) {
  const { may } = useSession();
  const duplicate = useDuplicate();
  const restore = useRestore();
  const [asking, setAsking] = useState<'settings' | 'versions' | 'archive' | null>(null);
  const close = () => setAsking(null);
  const mayEdit = may('WriteDashboards') && !isArchived;
  return (
    <>
      <Button variant="default" leftSection={<IconMaximize {...icon} />} onClick={onWall}>
        {words.view.wall}
      </Button>
      {isArchived && may('WriteDashboards') ? (
        <Button variant="default" onClick={() => void restore(dashboard.id)}>
          {strings.ui.restore}
        </Button>
      ) : null}
      {mayEdit ? (
        <>
          <Button
            component={Link}
            to={`/dashboards/${dashboard.id}/edit`}
            leftSection={<IconPencil {...icon} />}
          >
            {words.view.edit}
          </Button>
          <MoreMenu onSelect={setAsking} onDuplicate={() => void duplicate(dashboard.id)} />
        </>
      ) : (
        <Button
          variant="default"
          leftSection={<IconHistory {...icon} />}
          onClick={() => setAsking('versions')}
        >
          {words.view.versions}
        </Button>
      )}
      <DashboardForm editing={asking === 'settings' ? dashboard : null} onClose={close} />
      <Versions
        dashboardId={dashboard.id}
        mayRestore={mayEdit}
        isOpen={asking === 'versions'}
        onClose={close}
      />
      <ConfirmArchive
        dashboard={dashboard}
        leaveTo="/dashboards"
        isOpen={asking === 'archive'}
        onClose={close}
      />
    </>
  );
}

interface MenuProps {
  readonly onSelect: (what: 'settings' | 'versions' | 'archive') => void;
  readonly onDuplicate: () => void;
}

function MoreMenu({ onSelect, onDuplicate }: MenuProps) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={strings.ui.more}>
          <IconDots {...icon} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconHistory {...icon} />} onClick={() => onSelect('versions')}>
          {words.view.versions}
        </Menu.Item>
        <Menu.Item leftSection={<IconSettings {...icon} />} onClick={() => onSelect('settings')}>
          {words.view.settings}
        </Menu.Item>
        <Menu.Item leftSection={<IconCopy {...icon} />} onClick={onDuplicate}>
          {words.view.duplicate}
        </Menu.Item>
        <Menu.Item leftSection={<IconArchive {...icon} />} onClick={() => onSelect('archive')}>
          {strings.ui.archive}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
