import { operations } from '@fieldwatch/contract';
import type { Serve } from '../http/index.ts';
import type { Variables } from './variables.ts';

export function variableRoutes(serve: Serve, variables: Variables): void {
  const { folders } = variables;
  serve(operations.listVariables, variables.list, { isCached: true });
  serve(operations.searchVariables, variables.search, { isCached: true });
  serve(operations.listDeviceVariables, variables.listOfDevice, { isCached: true });
  serve(operations.retrieveVariable, variables.retrieve);
  serve(operations.createVariable, variables.create);
  serve(operations.updateVariable, variables.update);
  serve(operations.deleteVariable, variables.delete);
  serve(operations.listVariableFolders, folders.list);
  serve(operations.retrieveVariableFolder, folders.retrieve);
  serve(operations.createVariableFolder, folders.create);
  serve(operations.updateVariableFolder, folders.update);
  serve(operations.deleteVariableFolder, folders.delete);
  serve(operations.listClassifications, variables.listClassifications);
}
