import { Paper, Skeleton } from '@mantine/core';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { Panel } from '../ui/index.ts';
import classes from './overview.module.css';

const ROWS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth'];

/** Takes the place of the overview while it is loading. */
export function OverviewSkeleton() {
  const { may } = useSession();
  const cells = ROWS.slice(0, may('ReadAlarmConfigurations') ? 4 : 3);
  return (
    <div role="status" aria-label={strings.ui.loading}>
      <Paper withBorder className={classes.summary}>
        {cells.map((cell) => (
          <div key={cell} className={classes.cell}>
            <Skeleton height={12} width={90} mt={3} />
            <Skeleton height={22} width={56} my={5} />
            <Skeleton height={14} width={110} />
          </div>
        ))}
      </Paper>
      <div className={classes.columns}>
        <Panel title={strings.overview.sites}>
          {ROWS.map((row) => (
            <div key={row} className={classes.waiting}>
              <Skeleton height={34} />
            </div>
          ))}
        </Panel>
        <div className={classes.waitingChanges}>
          <Panel title={strings.overview.changes}>
            {ROWS.slice(0, 4).map((row) => (
              <Skeleton key={row} height={34} my={9} />
            ))}
          </Panel>
        </div>
      </div>
    </div>
  );
}
