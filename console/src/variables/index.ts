export { chartColumn } from './chart-column.tsx';
export { LiveReading, LiveReadingTime } from './reading.tsx';
export { useVariableBulkActions } from './variable-bulk.tsx';
export type { VariableValues } from './variable-fields.tsx';
export { useVariableCreator, VariableCreation, VariableEdit } from './variable-form.tsx';
export { VariablePage } from './variable-page.tsx';
export { VariablesPage } from './variables-page.tsx';
