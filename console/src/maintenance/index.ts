export { MaintenanceBanner, useActiveWindows } from './maintenance-banner.tsx';
export { scopeIn } from './scope.ts';
export { ScopeNames } from './scope-names.tsx';
export { momentText } from './times.ts';
export { EndButton, EndDialog, MaintenanceButton } from './window-dialogs.tsx';
export { WindowForm } from './window-form.tsx';
export { severitiesText, WindowMode, WindowState, WindowTimes } from './window-state.tsx';
