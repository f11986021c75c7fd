import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { type AlarmEvent, type Given, useCall } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { saveFile, tellFailure } from '../ui/index.ts';
import { eventsCsv } from './csv.ts';

const words = strings.alarms.history;
const PAGE = 1_000;

/** All events that the filters let through, as a file, with its progress. */
export function ExportButton({ asked }: { asked: Given<'listAlarmHistory'>['body'] }) {
  const call = useCall();
  const [progress, setProgress] = useState<string | null>(null);
  const collect = async () => {
    const events: AlarmEvent[] = [];
    for (let count = 1; events.length < count; ) {
      const page = await call('listAlarmHistory', {
        body: { ...asked, skip: events.length, take: PAGE },
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
          .catch(tellFailure)
          .finally(() => setProgress(null));
      }}
    >
      {progress ?? words.export}
    </Button>
  );
}
