import { IconFolder } from '../icons/index.ts';
import { useCall, useRead, type Variable } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { type BulkAction, moveAction, useBulkActions } from '../ui/index.ts';

const words = strings.variables;

/** The folders of Variables. */
export function useFolders() {
  return useRead('listVariableFolders', { query: { take: 1000 } });
}

/** The actions on selected Variables, by the user's permissions. */
export function useVariableBulkActions(): readonly BulkAction<Variable>[] {
  const { may } = useSession();
  const { deletion } = useBulkActions();
  const move = useMove();
  const remove = deletion({
    operation: 'deleteVariable',
    inputOf: ({ id, deviceId }: Variable) => ({ deviceId, variableId: id }),
    effect: words.removeText,
    isTyped: true,
  });
  return [...(may('UpdateVariable') ? move : []), ...(may('DeleteVariable') ? [remove] : [])];
}

/** Moves to a folder, where there are folders. */
function useMove(): readonly BulkAction<Variable>[] {
  const call = useCall();
  const { data } = useFolders();
  if (!data || data.count === 0) return [];
  return [
    moveAction({
      label: words.move,
      icon: <IconFolder size={16} aria-hidden />,
      titleOf: words.moveTitle,
      field: words.folder,
      none: words.noFolder,
      destinations: data.items,
      moveTo: (folderId) => (variable) =>
        call('updateVariable', { variableId: variable.id, body: { folderId } }),
    }),
  ];
}
