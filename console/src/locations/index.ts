export { LocationPage } from './location-page.tsx';
export { LocationsPage } from './locations-page.tsx';
