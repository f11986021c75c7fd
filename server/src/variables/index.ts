export { variableRoutes } from './routes.ts';
export { VARIABLE_COLUMNS } from './store.ts';
export { type VariableRow, variableRecord } from './variable.ts';
export { createVariables, type Variables } from './variables.ts';
