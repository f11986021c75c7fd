export { type GroupAudience, sendTextToGroups } from './group-texts.ts';
