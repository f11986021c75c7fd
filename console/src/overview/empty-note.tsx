import { useNow } from '../runtime/index.ts';
import { strings } from '../strings/index.ts';
import { numberText } from '../ui/index.ts';
import classes from './sites.module.css';
import type { Tank } from './supply.ts';
import { timeToEmpty } from './time-to-empty.ts';
import type { Trends } from './trends.ts';

const words = strings.overview;
const HOUR_MS = 3_600_000;

const SOON = [
  [4, 'bad'],
  [12, 'medium'],
] as const;

/** When the tank will be empty, if that can be estimated. */
export function TimeToEmpty({ tank, trends: { courses, stepMs } }: { tank: Tank; trends: Trends }) {
  const now = useNow();
  const course = courses.get(tank.variableId);
  const points = (course?.timestamp ?? []).map((startMs, index) => ({
    atMs: (startMs + Math.min(startMs + stepMs, now)) / 2,
    level: course?.mean[index] ?? 0,
  }));
  const leftMs = timeToEmpty(points, now);
  if (leftMs === null) return null;
  const tone = SOON.find(([hours]) => leftMs < hours * HOUR_MS)?.[1];
  return (
    <span className={classes.empty} data-tone={tone}>
      {words.emptyIn(roughDuration(leftMs))}
    </span>
  );
}

/** An estimate is not exact to the minute: "95 min", "2.5 h", "3 d". */
function roughDuration(ms: number): string {
  const hours = ms / HOUR_MS;
  if (hours < 2) return `${Math.max(5, Math.round((hours * 60) / 5) * 5)} min`;
  if (hours < 10) return `${numberText(Math.round(hours * 2) / 2)} h`;
  return hours < 48 ? `${Math.round(hours)} h` : `${Math.round(hours / 24)} d`;
}
