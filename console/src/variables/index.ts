export { chartColumn } from './chart-column.tsx';
export { LiveReading, LiveReadingTime } from './reading.tsx';
export type { VariableValues } from './variable-fields.tsx';
export { VariableCreation, VariableEdit } from './variable-form.tsx';
export { VariablePage } from './variable-page.tsx';
export { VariablesPage } from './variables-page.tsx';
