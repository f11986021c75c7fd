export { ROW_PX } from './history-widgets.tsx';
export { WidgetBody } from './widget-body.tsx';
