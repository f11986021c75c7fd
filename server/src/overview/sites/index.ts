export { createSiteList } from './site-list.ts';
