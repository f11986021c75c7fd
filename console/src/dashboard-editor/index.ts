export { DashboardEditorPage } from './editor-page.tsx';
