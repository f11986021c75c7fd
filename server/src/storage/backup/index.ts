export { type Restored, restoreBackup } from './restore.ts';
export type { Loss } from './salvage.ts';
export { type Content, writeBackup } from './write.ts';
