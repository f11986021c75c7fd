import { Button } from '@mantine/core';
import { useState } from 'react';
import { type Alarm, useWrite } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { attempt, Dialog, StateBadge, Timestamp } from '../ui/index.ts';
import { ShelveForm } from './shelve-form.tsx';

const words = strings.alarms.shelve;

/** Until when the Alarm is shelved, by whom and why. */
export function ShelvingNote({ alarm: { shelving } }: { alarm: Alarm }) {
  if (!shelving) return null;
  return (
    <>
      <StateBadge tone="shelved">
        {words.until} <Timestamp at={shelving.untilDateTime} form="exact" />
      </StateBadge>{' '}
      {words.by(shelving.shelvedBy, shelving.reason)}
    </>
  );
}

export function Shelve({ alarm }: { alarm: Alarm }) {
  const { may } = useSession();
  const unshelve = useWrite('unshelveAlarm');
  const [isAsking, setIsAsking] = useState(false);
  if (!may('UpdateAlarmConfiguration') || alarm.isArchived) return null;
  if (alarm.shelving) {
    return (
      <Button
        variant="default"
        onClick={() => void attempt(unshelve.mutateAsync({ alarmId: alarm.id }), words.undone)}
      >
        {words.undo}
      </Button>
    );
  }
  return (
    <>
      <Button variant="default" onClick={() => setIsAsking(true)}>
        {words.action}
      </Button>
      <Dialog title={words.title(alarm.name)} isOpen={isAsking} onClose={() => setIsAsking(false)}>
        {isAsking ? <ShelveForm alarmIds={[alarm.id]} onClose={() => setIsAsking(false)} /> : null}
      </Dialog>
    </>
  );
}
