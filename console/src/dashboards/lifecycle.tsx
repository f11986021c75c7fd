import { useNavigate } from '@tanstack/react-router';
import { type ListedDashboard, useWrite } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { attempt, ConfirmOperation, notify, notifyFailure } from '../ui/index.ts';

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

/** Restores an archived Dashboard. */
export function useRestore(): (dashboardId: string) => Promise<boolean> {
  const restore = useWrite('restoreDashboard');
  return (dashboardId) => attempt(restore.mutateAsync({ dashboardId }), strings.ui.restored);
}

interface ArchiveProps {
  readonly dashboard: Pick<ListedDashboard, 'id' | 'name'>;
  readonly leaveTo?: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function ConfirmArchive({ dashboard, ...dialog }: ArchiveProps) {
  return (
    <ConfirmOperation
      operation="archiveDashboard"
      input={{ dashboardId: dashboard.id }}
      name={dashboard.name}
      action={strings.ui.archive}
      done={strings.ui.archived}
      {...dialog}
    >
      {words.archiveText}
    </ConfirmOperation>
  );
}
