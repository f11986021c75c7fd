export { createVariableFolders, type VariableFolders } from './folders.ts';
