import type { Variable } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { CopyIcon, Details, Panel } from '../ui/index.ts';

const words = strings.variables.page;

export function VariableDetails({ variable }: { variable: Variable }) {
  const { topicPropertyPath, type, isLoggingEnabled, classificationType, description, id } =
    variable;
  const rows: readonly (readonly [string, string])[] = [
    [words.path, topicPropertyPath],
    [strings.variables.type, strings.variables.types[type]],
    [words.logging, isLoggingEnabled ? words.logged : words.notLogged],
    [words.classification, classificationType ?? '–'],
    [strings.ui.description, description ?? '–'],
  ];
  return (
    <Panel
      title={words.details}
      actions={<CopyIcon value={id} label={strings.ui.copy(strings.devices.details.id)} />}
    >
      <Details label={words.details} rows={rows} />
    </Panel>
  );
}
