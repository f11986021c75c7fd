export { createFindShareCaller } from './share-callers.ts';
export { createShareLinks, type ShareLinks } from './share-links.ts';
export { createSharedBoard, type SharedBoard, type SharedBoardDeps } from './shared-board.ts';
