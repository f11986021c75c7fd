import { ActionIcon, Group, Tooltip } from '@mantine/core';
import { IconArchive, IconCopy } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type ListedDashboard, useWrite } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { Confirm, notify, notifyFailure } from '../ui/index.ts';

const words = strings.dashboards;

/** Duplicates a Dashboard and opens the editor of the copy. */
export function useDuplicate(): (dashboardId: string) => Promise<void> {
  const duplicate = useWrite('duplicateDashboard');
  const navigate = useNavigate();
  return async (dashboardId) => {
    try {
      const { id } = await duplicate.mutateAsync({ dashboardId });
      notify(words.view.duplicated);
      await navigate({ to: `/dashboards/${id}/edit` });
    } catch (error) {
      notifyFailure(error);
    }
  };
}

interface ArchiveProps {
  readonly dashboard: ListedDashboard;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onDone?: () => Promise<void>;
}

export function ArchiveQuestion({ dashboard, isOpen, onClose, onDone }: ArchiveProps) {
  const archive = useWrite('archiveDashboard');
  return (
    <Confirm
      title={strings.ui.ask(strings.ui.archive, dashboard.name)}
      action={strings.ui.archive}
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={async () => {
        await archive.mutateAsync({ dashboardId: dashboard.id });
        await onDone?.();
        notify(words.archive.done);
      }}
    >
      {words.archive.text}
    </Confirm>
  );
}

/** The actions on a Dashboard in the list. */
export function RowActions({ dashboard }: { dashboard: ListedDashboard }) {
  const duplicate = useDuplicate();
  const [isAsking, setIsAsking] = useState(false);
  const { id, name } = dashboard;
  const actions = [
    {
      label: strings.ui.actionOn(words.view.duplicate, name),
      short: words.view.duplicate,
      icon: <IconCopy size={16} />,
      act: () => void duplicate(id),
    },
    {
      label: strings.ui.actionOn(strings.ui.archive, name),
      short: strings.ui.archive,
      icon: <IconArchive size={16} />,
      act: () => setIsAsking(true),
    },
  ];
  return (
    <Group gap={4} wrap="nowrap">
      {actions.map(({ label, short, icon, act }) => (
        <Tooltip key={short} label={short}>
          <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={act}>
            {icon}
          </ActionIcon>
        </Tooltip>
      ))}
      <ArchiveQuestion dashboard={dashboard} isOpen={isAsking} onClose={() => setIsAsking(false)} />
    </Group>
  );
}
