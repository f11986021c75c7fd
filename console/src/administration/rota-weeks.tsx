import { Stack, Text } from '@mantine/core';
import { localeFormats } from '../runtime/index.ts';
import { type Reply, useRead } from '../service/index.ts';
import { rotas as words } from '../strings/index.ts';
import { exactTime, Loaded } from '../ui/index.ts';
import { daysFrom, partsIn, WEEKS, weekAfter } from './rota-days.ts';
import classes from './rota-weeks.module.css';

/** Below this share of a week there is no room for a name. */
const MIN_NAMED_SHARE = 0.08;

type Shift = Reply<'listShifts'>['items'][number];

/** Four weeks of a rota from today on, a line each; gaps stand out. */
export function RotaWeeks({ rotaId, from }: { rotaId: string; from: number }) {
  const start = weekAfter(from, 0).from;
  const end = weekAfter(from, WEEKS.length - 1).to;
  const query = useRead('listShifts', {
    rotaId,
    query: { from: new Date(start).toISOString(), to: new Date(end).toISOString() },
  });
  return (
    <Loaded query={query}>
      {({ items }) => (
        <Stack gap={4}>
          <Text size="sm" fw={500}>
            {words.calendar}
          </Text>
          <div className={classes.line} aria-hidden>
            <span className={classes.date} />
            {daysFrom(from).map((day) => (
              <span key={day} className={classes.day}>
                {localeFormats.weekday(day)}
              </span>
            ))}
          </div>
          {WEEKS.map((week) => (
            <Week key={week} shifts={items} week={weekAfter(from, week)} />
          ))}
        </Stack>
      )}
    </Loaded>
  );
}

interface WeekProps {
  readonly shifts: readonly Shift[];
  readonly week: ReturnType<typeof weekAfter>;
}

function Week({ shifts, week }: WeekProps) {
  return (
    <div className={classes.line}>
      <span className={classes.date}>{localeFormats.day(week.from)}</span>
      <div className={classes.week}>
        {partsIn(shifts, week).map(({ begin, share, isGap, name, fromDateTime, toDateTime }) => {
          const label = isGap ? words.nobody : (name ?? '');
          const period = `${exactTime(Date.parse(fromDateTime))} – ${exactTime(Date.parse(toDateTime))}`;
          return (
            <div
              key={begin}
              className={classes.shift}
              data-gap={isGap || undefined}
              style={{ flexGrow: share }}
              title={`${label}: ${period}`}
            >
              {share < MIN_NAMED_SHARE ? '' : label}
            </div>
          );
        })}
      </div>
    </div>
  );
}
