import type { Site } from '@fieldwatch/contract';
import { Button, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { IconMapPin } from '../icons/index.ts';
import { useLatestOfMany } from '../live/index.ts';
import { type Reply, useFilters } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { parseSiteFilters, SITES_PER_PAGE } from '../sites/index.ts';
import { strings } from '../strings/index.ts';
import { Empty, PagePart, Panel } from '../ui/index.ts';
import { SiteRow } from './site-row.tsx';
import classes from './sites.module.css';
import { batchesOfSites, useTrends } from './trends.ts';

const words = strings.overview;

/** Fewer sites are found at a glance. */
const MIN_FILTERED_SITES = 9;

/** Few installations need these at first sight, and they are large. */
const controls = () => import('./site-controls.tsx');

/** The sites, worst first, with what feeds them. */
export function SiteList({ list }: { list: Reply<'listSites'> }) {
  const { count, items, totals } = list;
  const [{ search, state }] = useFilters(parseSiteFilters);
  const isFiltered = Boolean(search || state);
  const isUnlocated = totals.siteCount === 0 && items[0]?.id === null;
  return (
    <Panel title={words.sites}>
      {totals.siteCount >= MIN_FILTERED_SITES || isFiltered ? (
        <div className={classes.filters}>
          <PagePart name="site-controls" load={controls} loading={null}>
            {({ SiteFilterBar }) => <SiteFilterBar />}
          </PagePart>
        </div>
      ) : null}
      {items.length > 0 ? <Rows sites={items} /> : null}
      {count === 0 && !isFiltered ? <NoSites /> : null}
      {items.length === 0 && (count > 0 || isFiltered) ? (
        <Empty title={count > 0 ? strings.ui.pastEnd : strings.ui.noMatch} />
      ) : null}
      {isFiltered || count > SITES_PER_PAGE ? (
        <PagePart name="site-controls" load={controls} loading={null}>
          {({ SitePages }) => <SitePages count={count} />}
        </PagePart>
      ) : null}
      {isUnlocated ? (
        <Text size="sm" c="dimmed" mt="xs">
          {words.locateHint}
        </Text>
      ) : null}
    </Panel>
  );
}

function NoSites() {
  const { may } = useSession();
  return (
    <Empty
      title={words.noSites}
      icon={<IconMapPin />}
      action={
        may('CreateDevice') ? (
          <Button variant="default" renderRoot={(props) => <Link to="/welcome" {...props} />}>
            {words.addDevice}
          </Button>
        ) : null
      }
    >
      {words.noSitesHint}
    </Empty>
  );
}

function Rows({ sites }: { sites: readonly Site[] }) {
  const { columns } = words;
  const hasSupply = sites.some(({ variables }) => variables.length > 0);
  useLatestOfMany(sites.flatMap(({ variables }) => variables.map(({ id }) => id)));
  const batches = useMemo(() => batchesOfSites(sites), [sites]);
  return (
    <div className={classes.list} data-supply={hasSupply || undefined}>
      <div className={classes.head} aria-hidden>
        <span>{columns.state}</span>
        <span>{columns.site}</span>
        <span>{columns.trouble}</span>
        {hasSupply ? (
          <>
            <span>{columns.source}</span>
            <span>{columns.load}</span>
            <span>{columns.fuel}</span>
          </>
        ) : null}
      </div>
      <ul className={classes.rows} aria-label={words.sites}>
        {batches.map((batch, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a batch is the part of the page that it is
          <Batch key={index} sites={batch} hasSupply={hasSupply} />
        ))}
      </ul>
    </div>
  );
}

/** Sites whose history is read together. */
function Batch({ sites, hasSupply }: { sites: readonly Site[]; hasSupply: boolean }) {
  const trends = useTrends(sites);
  return sites.map((site) => (
    <SiteRow key={site.id ?? 'none'} site={site} trends={hasSupply ? trends : null} />
  ));
}
