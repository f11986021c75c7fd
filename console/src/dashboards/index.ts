export { Tile } from './board.tsx';
export { BoardViewContext } from './board-view.tsx';
export { DashboardPage } from './dashboard-page.tsx';
export { DashboardsPage } from './dashboards-page.tsx';
export { areaByKey, withArea } from './grid-area.ts';
export { isImageUrl } from './image-url.ts';
export { SharedPage } from './shared/index.ts';
export { viewOf } from './shown-board.tsx';
export { useResolvedWidgets, useTemplateTargets } from './template.ts';
export {
  isKnown,
  nameOf,
  settingsOf,
  type Widget,
  withChange,
  withCopy,
  withNew,
} from './widget.ts';
export { ROW_PX } from './widgets/index.ts';
