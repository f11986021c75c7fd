export { Tile } from './board.tsx';
export { DashboardPage } from './dashboard-page.tsx';
export { DashboardsPage } from './dashboards-page.tsx';
export { areaByKey, withArea } from './grid-area.ts';
export {
  nameOf,
  settingsOf,
  type Widget,
  withChange,
  withCopy,
  withNew,
} from './widget.ts';
export { ROW_PX } from './widgets/index.ts';
