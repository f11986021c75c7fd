export { filteredSearch } from './filtered-search.ts';
