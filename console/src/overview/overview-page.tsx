import { Alert, Stack } from '@mantine/core';
import { Navigate } from '@tanstack/react-router';
import { IconAlertTriangle } from '../icons/index.ts';
import { readStored } from '../runtime/index.ts';
import type { Reply } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { useSiteList } from '../sites/index.ts';
import { strings } from '../strings/index.ts';
import { Failed, Page } from '../ui/index.ts';
import { Changes } from './changes.tsx';
import { useCounts } from './counts.ts';
import { OnCall } from './on-call.tsx';
import classes from './overview.module.css';
import { OverviewSkeleton } from './overview-skeleton.tsx';
import { SiteList } from './site-list.tsx';
import { Summary } from './summary.tsx';

const words = strings.overview;

/** The sites with their state, worst first, and what changed lately; each links to its page. */
export function OverviewPage() {
  const { may, organization } = useSession();
  const counts = useCounts();
  const query = useSiteList();
  const isWelcomed = readStored('welcomed') === organization.id;
  // Users who may create the first Device see the first steps; others see an empty overview.
  if (counts.data?.deviceCount === 0 && may('CreateDevice') && !isWelcomed)
    return <Navigate to="/welcome" />;
  const { data } = query;
  return (
    <Page title={words.title}>
      {data === undefined || counts.isPending ? (
        query.error ? (
          <Failed error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <OverviewSkeleton />
        )
      ) : (
        <>
          <Warnings warnings={counts.data?.warnings} />
          <Summary totals={data.totals} />
          <div className={classes.columns}>
            <SiteList list={data} />
            <Stack gap="md">
              <Changes changes={data.changes} />
              {may('ReadAlarmConfigurations') ? <OnCall /> : null}
            </Stack>
          </div>
        </>
      )}
    </Page>
  );
}

type ServerWarnings = Reply<'retrieveOverview'>['warnings'];

/** Warnings about the server itself, as the server words them. */
function Warnings({ warnings }: { warnings: ServerWarnings }) {
  return warnings?.map(({ code, message }) => (
    <Alert key={code} color="orange" role="alert" mb="md" icon={<IconAlertTriangle aria-hidden />}>
      {message}
    </Alert>
  ));
}
