import { Button, Group } from '@mantine/core';
import { useRead, useWrite } from '../../service/index.ts';
import { useSession } from '../../session/index.ts';
import { strings } from '../../strings/index.ts';
import {
  attempt,
  Dialog,
  FormBody,
  type FoundOptions,
  SearchedSelect,
  useServerForm,
} from '../../ui/index.ts';

const words = strings.activeAlarms.assign;
const MAX_OPTIONS = 50;
/** The maximum that the server takes. */
const EVENTS_PER_REQUEST = 500;

interface Props {
  /** The events to assign; the dialog is closed while there are none. */
  readonly eventIds: readonly string[];
  readonly onClose: () => void;
  readonly onDone?: () => void;
}

/** Assigns alarms to the user, another member or nobody. */
export function Assign(props: Props) {
  const { eventIds, onClose } = props;
  return (
    <Dialog title={words.title(eventIds.length)} isOpen={eventIds.length > 0} onClose={onClose}>
      {eventIds.length > 0 ? <AssignForm {...props} /> : null}
    </Dialog>
  );
}

function AssignForm({ eventIds, onClose, onDone }: Props) {
  const { me } = useSession();
  const assign = useWrite('assignAlarmEvents');
  const send = async (userId: string | null) => {
    for (let next = 0; next < eventIds.length; next += EVENTS_PER_REQUEST) {
      const part = eventIds.slice(next, next + EVENTS_PER_REQUEST);
      await assign.mutateAsync({ body: { eventIds: part, userId } });
    }
  };
  const serverForm = useServerForm({
    initialValues: { userId: null as string | null },
    validate: ({ userId }): Record<string, string> =>
      userId === null ? { userId: words.select } : {},
    send: ({ userId }) => send(userId),
    doneMessage: words.done,
    onDone,
    onClose,
  });
  const assignAtOnce = async (userId: string | null, message: string) => {
    if (!(await attempt(send(userId), message))) return;
    onDone?.();
    onClose();
  };
  return (
    <>
      <Group gap="xs" mb="sm">
        <Button data-autofocus onClick={() => void assignAtOnce(me.id, words.done)}>
          {words.toMe}
        </Button>
        <Button variant="default" onClick={() => void assignAtOnce(null, words.undone)}>
          {words.unassign}
        </Button>
      </Group>
      <FormBody serverForm={serverForm} action={words.action}>
        <SearchedSelect
          label={words.assignee}
          {...serverForm.form.getInputProps('userId')}
          value={serverForm.form.values.userId}
          useOptions={useAssignees}
          selected={null}
        />
      </FormBody>
    </>
  );
}

/** The members of the organization that a search finds. */
export function useAssignees(search: string): FoundOptions {
  const { data, isPending, isPlaceholderData } = useRead(
    'listAlarmAssignees',
    { query: { take: MAX_OPTIONS, ...(search ? { search } : {}) } },
    { keepsPrevious: true },
  );
  const options = (data?.items ?? []).map(({ userId, name, email }) => ({
    value: userId,
    label: name ?? email,
    ...(name ? { detail: email } : {}),
  }));
  return { options, count: data?.count ?? 0, isPending: isPending || isPlaceholderData };
}
