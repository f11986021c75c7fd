import { type ReactNode, useState } from 'react';
import { IconArchive, IconPower, IconRestore } from '../icons/index.ts';
import { type Alarm, useWrite } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { attempt, ConfirmOperation, type List, ListTable, type RowAction } from '../ui/index.ts';
import { useAlarmBulkActions } from './configuration-bulk.tsx';

const words = strings.alarms;
const icon = { size: 16, 'aria-hidden': true } as const;

interface Props {
  readonly list: List<Alarm>;
  readonly isFiltered: boolean;
  readonly empty: ReactNode;
}

export function ConfigurationTable(props: Props) {
  const bulk = useAlarmBulkActions();
  const [archiving, setArchiving] = useState<Alarm | null>(null);
  const actionsOf = useAlarmActions(setArchiving);
  return (
    <>
      <ListTable
        {...props}
        label={words.titles.configurations}
        hrefOf={({ id }) => `/alarms/configurations/${id}`}
        actions={{ nameOf: ({ name }) => name, of: actionsOf }}
        bulk={{ actions: bulk, nameOf: ({ name }) => name, many: words.title }}
      />
      {archiving ? (
        <ConfirmOperation
          operation="archiveAlarm"
          input={{ alarmId: archiving.id }}
          name={archiving.name}
          action={strings.ui.archive}
          done={strings.ui.archived}
          isOpen
          onClose={() => setArchiving(null)}
        >
          {words.list.archiveText}
        </ConfirmOperation>
      ) : null}
    </>
  );
}

function useAlarmActions(
  onArchive: (alarm: Alarm) => void,
): (alarm: Alarm) => readonly RowAction[] {
  const { may } = useSession();
  const update = useWrite('updateAlarm');
  const restore = useWrite('restoreAlarm');
  const mayArchive = may('DeleteAlarmConfiguration');
  const toggle = ({ id, isActive }: Alarm): RowAction => ({
    label: isActive ? strings.ui.disable : strings.ui.enable,
    icon: <IconPower {...icon} />,
    act: () =>
      void attempt(
        update.mutateAsync({ alarmId: id, body: { isActive: !isActive } }),
        isActive ? words.list.disabled : words.list.enabled,
      ),
  });
  return (alarm) => {
    if (alarm.isArchived) {
      const act = () =>
        void attempt(restore.mutateAsync({ alarmId: alarm.id }), strings.ui.restored);
      return mayArchive
        ? [{ label: strings.ui.restore, icon: <IconRestore {...icon} />, act }]
        : [];
    }
    const archive = {
      label: strings.ui.archive,
      icon: <IconArchive {...icon} />,
      act: () => onArchive(alarm),
    };
    return [
      ...(may('UpdateAlarmConfiguration') ? [toggle(alarm)] : []),
      ...(mayArchive ? [archive] : []),
    ];
  };
}
