import { ASSET_TYPES } from '@fieldwatch/contract';
import { Select, Stack } from '@mantine/core';
import { strings } from '../strings/index.ts';
import type { BoardSettings } from './draft.ts';
import { rangeOptions } from './scale-fields.tsx';

const words = strings.dashboards.edit;
const NO_TEMPLATE = 'NONE';
const ANY_CLASS = 'ANY';
const DEFAULT_RANGE_SECONDS = 86_400;

interface Props {
  readonly settings: BoardSettings;
  readonly onChange: (settings: BoardSettings) => void;
}

/** The time range of the board, and whether it is a template. */
export function BoardSettingsFields({ settings, onChange }: Props) {
  const { template, rangeSeconds, ...rest } = settings;
  const range = rangeSeconds === undefined ? {} : { rangeSeconds };
  const kinds = { [NO_TEMPLATE]: words.noTemplate, ...words.templateKinds };
  return (
    <Stack gap="sm">
      <Select
        label={words.boardRange}
        data={rangeOptions((rangeSeconds ?? DEFAULT_RANGE_SECONDS) * 1_000)}
        value={String(rangeSeconds ?? DEFAULT_RANGE_SECONDS)}
        onChange={(value) => onChange({ ...settings, rangeSeconds: Number(value) })}
        allowDeselect={false}
      />
      <Select
        label={words.template}
        description={words.templateHint}
        data={Object.entries(kinds).map(([value, label]) => ({ value, label }))}
        value={template?.kind ?? NO_TEMPLATE}
        onChange={(value) =>
          onChange({
            ...rest,
            ...range,
            ...(value === 'LOCATION' || value === 'ASSET' ? { template: { kind: value } } : {}),
          })
        }
        allowDeselect={false}
      />
      {template?.kind === 'ASSET' ? (
        <Select
          label={words.templateClass}
          data={[
            { value: ANY_CLASS, label: words.anyClass },
            ...ASSET_TYPES.map((value) => ({ value, label: strings.assets.types[value] })),
          ]}
          value={template.assetType ?? ANY_CLASS}
          onChange={(value) => {
            const assetType = ASSET_TYPES.find((type) => type === value);
            const next = { kind: 'ASSET' as const, ...(assetType ? { assetType } : {}) };
            onChange({ ...rest, ...range, template: next });
          }}
          allowDeselect={false}
        />
      ) : null}
    </Stack>
  );
}
