export { advanceDue } from './advance.ts';
export { hasDue } from './store.ts';
export { createWindows, type Windows } from './windows.ts';
