import { Group, Pagination, SegmentedControl, Text } from '@mantine/core';
import { oneIn, useFilters } from '../service/index.ts';
import { parseSiteFilters, SITES_PER_PAGE, STATE_FILTERS } from '../sites/index.ts';
import { strings } from '../strings/index.ts';
import { countText, Filters, SearchField } from '../ui/index.ts';

const words = strings.overview;

/** Search and filter by state. */
export function SiteFilterBar() {
  const [{ search, state }, setFilters] = useFilters(parseSiteFilters);
  const { label, all, ...labels } = words.stateFilter;
  return (
    <Filters>
      <SearchField
        label={words.searchSites}
        value={search ?? ''}
        onChange={(next) => setFilters({ search: next })}
      />
      <SegmentedControl
        aria-label={label}
        data={[
          { value: 'all', label: all },
          ...STATE_FILTERS.map((value) => ({ value, label: labels[value] })),
        ]}
        value={state ?? 'all'}
        onChange={(next) => setFilters({ state: oneIn(next, STATE_FILTERS) })}
      />
    </Filters>
  );
}

/** The number of matching sites, and the page controls of more than a page of them. */
export function SitePages({ count }: { count: number }) {
  const [{ search, state, page = 1 }, setFilters] = useFilters(parseSiteFilters);
  const total = Math.ceil(count / SITES_PER_PAGE);
  return (
    <Group justify="space-between" mt="sm" gap="xs">
      <Text size="sm" c="dimmed" role="status">
        {/* The summary has the number of all sites. */}
        {search || state ? words.siteCount(countText(count), count) : null}
      </Text>
      {total > 1 ? (
        <Pagination
          total={total}
          value={page}
          onChange={(next) => setFilters({ page: next })}
          size="sm"
          getControlProps={(control) => ({ 'aria-label': strings.ui.pageControls[control] })}
          getItemProps={(item) => ({ 'aria-label': strings.ui.pageItem(item) })}
        />
      ) : null}
    </Group>
  );
}
