export { parseSiteFilters, SITES_PER_PAGE, STATE_FILTERS, useSiteList } from './site-list.ts';
