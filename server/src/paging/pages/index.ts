export { createPages, type Pages } from './pages.ts';
