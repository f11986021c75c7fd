import { Button, Group, Stack, Text } from '@mantine/core';
import { useRead, useWrite } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { attempt, Dialog, Loaded, Timestamp } from '../ui/index.ts';

const words = strings.dashboards.versions;

interface Props {
  readonly dashboardId: string;
  /** Users without write permission see the versions but cannot restore them. */
  readonly mayRestore: boolean;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** The published versions with author and comment; each can be restored as the draft. */
export function Versions({ dashboardId, mayRestore, isOpen, onClose }: Props) {
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
                    {words.by(publishedBy)}, <Timestamp at={publishedDateTime} />
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
