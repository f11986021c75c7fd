export { provideLorawanSite } from './provide.ts';
export { simulateLorawan } from './simulate-lorawan.ts';
export { createLorawanSite } from './site.ts';
