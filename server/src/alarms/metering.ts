import type { Clock, Metrics } from '../runtime/index.ts';
import type { Storage } from '../storage/index.ts';
import { countPhases } from './analysis/index.ts';
import type { WatchUpdate } from './engine/index.ts';

/** Counts what alarms do. Call the answer with what was stored, and when it was judged. */
export function meterAlarms(
  metrics: Metrics,
  { storage, clock }: { readonly storage: Storage; readonly clock: Clock },
): (step: WatchUpdate, judgedAt: number) => void {
  const totals = { raised: 0, cleared: 0 };
  metrics.addCounter({
    name: 'fieldwatch_alarm_events_total',
    help: 'What happened to events of alarms',
    label: 'kind',
    totals: () => totals,
  });
  metrics.addGauge({
    name: 'fieldwatch_alarms',
    help: 'Alarms that are not clear, by phase',
    label: 'phase',
    values: () => countPhases(storage),
  });
  const observe = metrics.addDuration({
    name: 'fieldwatch_alarm_lag_seconds',
    help: 'Time from the judgement of a reading or of the clock to its being stored',
  });
  return ({ logEntries }, judgedAt) => {
    for (const { kind } of logEntries) totals[kind === 'RAISED' ? 'raised' : 'cleared'] += 1;
    if (logEntries.length > 0) observe((clock.now() - judgedAt) / 1_000);
  };
}
