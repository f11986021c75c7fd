import { IconArchive, IconPower, IconRestore, IconUsersGroup } from '../icons/index.ts';
import { type Alarm, useCall } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { type BulkAction, ConfirmBulk, SelectForBulk } from '../ui/index.ts';
import { useAlarmGroups } from './configuration-columns.tsx';

const words = strings.alarms.list;
const icon = { size: 16, 'aria-hidden': true } as const;

interface Change {
  readonly isActive?: boolean;
  readonly alarmGroupId?: string | null;
}

/** The actions on selected Alarms, by the user's permissions and by the state of each Alarm. */
export function useAlarmBulkActions(): readonly BulkAction<Alarm>[] {
  const { may } = useSession();
  const update = useUpdates();
  const archive = useArchiving();
  return [
    ...(may('UpdateAlarmConfiguration') ? update : []),
    ...(may('DeleteAlarmConfiguration') ? archive : []),
  ];
}

function useUpdates(): readonly BulkAction<Alarm>[] {
  const call = useCall();
  const groups = useAlarmGroups().data?.items ?? [];
  const edit =
    (body: Change) =>
    async ([alarm]: readonly Alarm[]) =>
      alarm && call('updateAlarm', { alarmId: alarm.id, body });
  return [
    {
      label: words.enable,
      icon: <IconPower {...icon} />,
      appliesTo: ({ isArchived, isActive }) => !(isArchived || isActive),
      run: edit({ isActive: true }),
    },
    {
      label: words.disable,
      icon: <IconPower {...icon} />,
      appliesTo: ({ isArchived, isActive }) => !isArchived && isActive,
      dialog: (props) => (
        <ConfirmBulk
          {...props}
          title={words.bulk.disableTitle(props.records.length)}
          action={words.disable}
          text={words.bulk.disableText}
          run={edit({ isActive: false })}
        />
      ),
    },
    {
      label: words.bulk.group,
      icon: <IconUsersGroup {...icon} />,
      appliesTo: ({ isArchived }) => !isArchived,
      dialog: (props) => (
        <SelectForBulk
          {...props}
          title={words.bulk.groupTitle(props.records.length)}
          action={strings.ui.save}
          label={strings.alarms.group}
          none={strings.alarms.form.noGroup}
          options={groups}
          runWith={(alarmGroupId) => edit({ alarmGroupId })}
        />
      ),
    },
  ];
}

function useArchiving(): readonly BulkAction<Alarm>[] {
  const call = useCall();
  return [
    {
      label: strings.ui.archive,
      icon: <IconArchive {...icon} />,
      appliesTo: ({ isArchived }) => !isArchived,
      dialog: (props) => (
        <ConfirmBulk
          {...props}
          title={words.bulk.archiveTitle(props.records.length)}
          action={strings.ui.archive}
          text={words.bulk.archiveText}
          run={async ([alarm]) => alarm && call('archiveAlarm', { alarmId: alarm.id })}
        />
      ),
    },
    {
      label: strings.ui.restore,
      icon: <IconRestore {...icon} />,
      appliesTo: ({ isArchived }) => isArchived,
      run: async ([alarm]) => alarm && call('restoreAlarm', { alarmId: alarm.id }),
    },
  ];
}
