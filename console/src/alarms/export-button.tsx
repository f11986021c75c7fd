import { Button } from '@mantine/core';
import { useState } from 'react';
import { IconDownload } from '../icons/index.ts';
import { type AlarmEvent, type Input, useCall } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { notifyFailure, saveFile } from '../ui/index.ts';
import { eventsCsv } from './events-csv.ts';

const words = strings.alarms.history;
const EVENTS_PER_PAGE = 1_000;

/** Exports all events that match the filters as a file and shows the progress. */
export function ExportButton({ search }: { search: Input<'listAlarmHistory'>['body'] }) {
  const call = useCall();
  const [progress, setProgress] = useState<string | null>(null);
  const collect = async () => {
    const events: AlarmEvent[] = [];
    for (let count = 1; events.length < count; ) {
      const page = await call('listAlarmHistory', {
        body: { ...search, skip: events.length, take: EVENTS_PER_PAGE },
      });
      if (page.items.length === 0) break;
      events.push(...page.items);
      count = page.count;
      setProgress(words.exporting(events.length, count));
    }
    saveFile('alarm-history.csv', 'text/csv', eventsCsv(events));
  };
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden />}
      loading={progress !== null}
      onClick={() => {
        setProgress(words.export);
        void collect()
          .catch(notifyFailure)
          .finally(() => setProgress(null));
      }}
    >
      {progress ?? words.export}
    </Button>
  );
}
