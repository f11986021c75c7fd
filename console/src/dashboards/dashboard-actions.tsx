import { ActionIcon, Button, Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import {
  IconArchive,
  IconCopy,
  IconDots,
  IconDownload,
  IconHistory,
  IconLink,
  IconMaximize,
  IconPencil,
  IconPhoto,
  IconRefresh,
  IconSettings,
} from '../icons/index.ts';
import type { Dashboard } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { notifyProblem, saveFile } from '../ui/index.ts';
import { BOARD_ID } from './board.tsx';
import type { BoardFilters } from './board-filters.ts';
import { elementPng } from './board-picture.ts';
import { DashboardForm } from './dashboard-form.tsx';
import { ConfirmArchive, useDuplicate, useRestore } from './lifecycle.tsx';
import { RotationDialog } from './rotation-dialog.tsx';
import { ShareDialog } from './share-dialog.tsx';
import { Versions } from './versions.tsx';

const words = strings.dashboards;
const icon = { size: 16, 'aria-hidden': true } as const;

type Asked = 'settings' | 'versions' | 'archive' | 'share' | 'rotation';

interface Props {
  readonly dashboard: Dashboard;
  readonly isArchived: boolean;
  readonly isPublished: boolean;
  readonly template: Dashboard['configuration']['template'] | undefined;
  readonly onWall: (change?: Partial<BoardFilters>) => void;
}

export function DashboardActions({ dashboard, isArchived, onWall, ...shown }: Props) {
  const { may } = useSession();
  const restore = useRestore();
  const [asking, setAsking] = useState<Asked | null>(null);
  const close = () => setAsking(null);
  const mayEdit = may('WriteDashboards') && !isArchived;
  return (
    <>
      <Button variant="default" leftSection={<IconMaximize {...icon} />} onClick={() => onWall()}>
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
            variant="default"
            leftSection={<IconLink {...icon} />}
            onClick={() => setAsking('share')}
          >
            {words.view.share}
          </Button>
          <Button
            component={Link}
            to={`/dashboards/${dashboard.id}/edit`}
            leftSection={<IconPencil {...icon} />}
          >
            {words.view.edit}
          </Button>
        </>
      ) : null}
      <MoreMenu dashboard={dashboard} mayEdit={mayEdit} onSelect={setAsking} />
      <DashboardForm editing={asking === 'settings' ? dashboard : null} onClose={close} />
      <Versions
        dashboardId={dashboard.id}
        mayRestore={mayEdit}
        isOpen={asking === 'versions'}
        onClose={close}
      />
      <ShareDialog
        dashboardId={dashboard.id}
        {...shown}
        isOpen={asking === 'share'}
        onClose={close}
      />
      <RotationDialog
        dashboardId={dashboard.id}
        isOpen={asking === 'rotation'}
        onClose={close}
        onStart={onWall}
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
  readonly dashboard: Dashboard;
  readonly mayEdit: boolean;
  readonly onSelect: (what: Asked) => void;
}

/** The menu is closed first, so that it is in no picture. */
function afterMenu(act: () => void): void {
  setTimeout(act, MENU_CLOSING_MS);
}

const MENU_CLOSING_MS = 300;

async function savePicture(name: string): Promise<void> {
  const board = document.getElementById(BOARD_ID);
  if (!board) return;
  try {
    const background = getComputedStyle(document.body).backgroundColor;
    saveFile(`${name}.png`, 'image/png', await elementPng(board, background));
  } catch {
    notifyProblem(words.view.noPicture);
  }
}

function MoreMenu({ dashboard, mayEdit, onSelect }: MenuProps) {
  const duplicate = useDuplicate();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={strings.ui.more}>
          <IconDots {...icon} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconRefresh {...icon} />} onClick={() => onSelect('rotation')}>
          {words.view.rotate}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconPhoto {...icon} />}
          onClick={() => afterMenu(() => void savePicture(dashboard.name))}
        >
          {words.view.picture}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconDownload {...icon} />}
          onClick={() => afterMenu(() => window.print())}
        >
          {words.view.print}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconHistory {...icon} />} onClick={() => onSelect('versions')}>
          {words.view.versions}
        </Menu.Item>
        {mayEdit ? (
          <>
            <Menu.Item
              leftSection={<IconSettings {...icon} />}
              onClick={() => onSelect('settings')}
            >
              {words.view.settings}
            </Menu.Item>
            <Menu.Item
              leftSection={<IconCopy {...icon} />}
              onClick={() => void duplicate(dashboard.id)}
            >
              {words.view.duplicate}
            </Menu.Item>
            <Menu.Item leftSection={<IconArchive {...icon} />} onClick={() => onSelect('archive')}>
              {strings.ui.archive}
            </Menu.Item>
          </>
        ) : null}
      </Menu.Dropdown>
    </Menu>
  );
}
