import { Stack, Text } from '@mantine/core';
import { type Reply, useRead } from '../service/index.ts';
import { rotas as words } from '../strings/index.ts';
import { Loaded } from '../ui/index.ts';
import classes from './rota-weeks.module.css';

const WEEK_MS = 7 * 86_400_000;
const WEEKS = [0, 1, 2, 3] as const;
/** Below this share of a week there is no room for a name. */
const MIN_NAMED_SHARE = 0.08;

type Shift = Reply<'listShifts'>['items'][number];

/** Four weeks of a rota from now on, a line each; gaps stand out. */
export function RotaWeeks({ rotaId, from }: { rotaId: string; from: number }) {
  const to = from + WEEKS.length * WEEK_MS;
  const query = useRead('listShifts', {
    rotaId,
    query: { from: new Date(from).toISOString(), to: new Date(to).toISOString() },
  });
  return (
    <Loaded query={query}>
      {({ items }) => (
        <Stack gap={4}>
          <Text size="sm" fw={500}>
            {words.calendar}
          </Text>
          {WEEKS.map((week) => (
            <Week key={week} shifts={items} from={from + week * WEEK_MS} />
          ))}
        </Stack>
      )}
    </Loaded>
  );
}

function Week({ shifts, from }: { shifts: readonly Shift[]; from: number }) {
  const to = from + WEEK_MS;
  const parts = shifts.flatMap((shift) => {
    const begin = Math.max(from, Date.parse(shift.fromDateTime));
    const share = (Math.min(to, Date.parse(shift.toDateTime)) - begin) / WEEK_MS;
    return share > 0 ? [{ ...shift, begin, share }] : [];
  });
  return (
    <div className={classes.week}>
      {parts.map(({ begin, share, isGap, name, fromDateTime, toDateTime }) => {
        const label = isGap ? words.nobody : (name ?? '');
        const period = `${new Date(fromDateTime).toLocaleString()} – ${new Date(toDateTime).toLocaleString()}`;
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
  );
}
