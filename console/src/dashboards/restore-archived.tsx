import { Button } from '@mantine/core';
import { useWrite } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { attempt } from '../ui/index.ts';

export function RestoreArchived({ id, size = 'xs' }: { id: string; size?: 'xs' | 'sm' }) {
  const { may } = useSession();
  const restore = useWrite('restoreDashboard');
  if (!may('WriteDashboards')) return null;
  return (
    <Button
      size={size}
      variant="default"
      onClick={() =>
        void attempt(restore.mutateAsync({ dashboardId: id }), strings.dashboards.restored)
      }
    >
      {strings.ui.restore}
    </Button>
  );
}
