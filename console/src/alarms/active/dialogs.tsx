import type { AlarmEvent } from '../../service/index.ts';
import { strings } from '../../strings/index.ts';
import { Dialog } from '../../ui/index.ts';
import { Acknowledge } from '../acknowledge.tsx';
import { ShelveForm } from '../shelve-form.tsx';
import { Assign } from './assign.tsx';
import type { AlarmAction } from './row.tsx';

/** An action on alarms that waits for the user's input. */
export interface Asking {
  readonly action: AlarmAction;
  readonly events: readonly AlarmEvent[];
}

interface Props {
  readonly asking: Asking | null;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** The dialog of the action that the user has started; at most one is open. */
export function AlarmDialogs({ asking, onClose, onDone }: Props) {
  const eventsFor = (action: AlarmAction) => (asking?.action === action ? asking.events : []);
  const alarms = new Map(eventsFor('shelve').map(({ alarmId, alarmName }) => [alarmId, alarmName]));
  const [name = ''] = alarms.values();
  return (
    <>
      <Acknowledge
        eventIds={eventsFor('acknowledge').map(({ id }) => id)}
        onClose={onClose}
        onDone={onDone}
      />
      <Dialog
        title={strings.activeAlarms.shelve.title(alarms.size, name)}
        isOpen={alarms.size > 0}
        onClose={onClose}
      >
        {alarms.size > 0 ? (
          <ShelveForm alarmIds={[...alarms.keys()]} onClose={onClose} onDone={onDone} />
        ) : null}
      </Dialog>
      <Assign
        eventIds={eventsFor('assign').map(({ id }) => id)}
        onClose={onClose}
        onDone={onDone}
      />
    </>
  );
}
