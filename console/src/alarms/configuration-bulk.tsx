import { IconArchive, IconPower, IconRestore, IconUsersGroup } from '../icons/index.ts';
import { type Alarm, useCall } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { type BulkAction, SelectForBulk } from '../ui/index.ts';
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
    ({ id }: Alarm) =>
      call('updateAlarm', { alarmId: id, body });
  return [
    {
      label: strings.ui.enable,
      icon: <IconPower {...icon} />,
      appliesTo: ({ isArchived, isActive }) => !(isArchived || isActive),
      run: edit({ isActive: true }),
    },
    {
      label: strings.ui.disable,
      icon: <IconPower {...icon} />,
      appliesTo: ({ isArchived, isActive }) => !isArchived && isActive,
      effect: words.bulk.disableText,
      run: edit({ isActive: false }),
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
      effect: words.archiveText,
      run: ({ id }) => call('archiveAlarm', { alarmId: id }),
    },
    {
      label: strings.ui.restore,
      icon: <IconRestore {...icon} />,
      appliesTo: ({ isArchived }) => isArchived,
      run: ({ id }) => call('restoreAlarm', { alarmId: id }),
    },
  ];
}
