import { Button, Group, Stack, Text } from '@mantine/core';
import { useRead, useWrite } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { attempt, Dialog, Loaded, When } from '../ui/index.ts';

const words = strings.dashboards.versions;

interface Given {
  readonly dashboardId: string;
  /** Who may not change a Dashboard sees who changed it. */
  readonly mayRestore: boolean;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** What was published, by whom and why; each can be the draft again. */
export function Versions({ dashboardId, mayRestore, isOpen, onClose }: Given) {
  const restore = useWrite('restoreDashboardHistory');
  const query = useRead(
    'listDashboardHistories',
    { dashboardId, query: { take: 100 } },
    { enabled: isOpen },
  );
  return (
    <Dialog title={words.title} isOpen={isOpen} onClose={onClose} size="lg">
      <Loaded query={query}>
        {({ items }) => (
          <Stack gap="sm">
            {items.length === 0 ? <Text size="sm">{words.none}</Text> : null}
            {items.map(({ id, version, comment, publishedBy, publishedDateTime }) => (
              <Group key={id} justify="space-between" wrap="nowrap" align="flex-start">
                <div>
                  <Text size="sm" fw={650}>
                    {words.version(version)}
                  </Text>
                  <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                    {comment}
                  </Text>
                  <Text size="xs" c="dimmed" component="div">
                    {words.by(publishedBy)}, <When at={publishedDateTime} />
                  </Text>
                </div>
                {mayRestore ? (
                  <Button
                    size="xs"
                    variant="default"
                    onClick={() =>
                      void attempt(
                        restore.mutateAsync({ dashboardId, historyId: id }),
                        words.restored(version),
                      ).then((isDone) => isDone && onClose())
                    }
                  >
                    {words.restore}
                  </Button>
                ) : null}
              </Group>
            ))}
          </Stack>
        )}
      </Loaded>
    </Dialog>
  );
}
