export { restoreBackup } from './restore.ts';
export { type Content, writeBackup } from './write.ts';
