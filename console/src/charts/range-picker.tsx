import { Button, Group, SegmentedControl } from '@mantine/core';
import { IconZoomOut } from '@tabler/icons-react';
import { strings } from '../strings/index.ts';
import { PRESETS_MS, type Preset, type RangeChoice } from './range.ts';

interface Given {
  readonly choice: RangeChoice;
  readonly fallback?: Preset;
  readonly onChange: (choice: RangeChoice) => void;
}

const words = strings.charts;

/** Back from now by a click; a stretch that was zoomed into is left by one too. */
export function RangePicker({ choice, fallback = 'day', onChange }: Given) {
  const isZoomed = choice.from !== undefined;
  return (
    <Group gap="xs">
      <SegmentedControl
        size="xs"
        aria-label={words.range}
        value={isZoomed ? '' : (choice.last ?? fallback)}
        onChange={(last) => onChange({ last: last as Preset, from: undefined, to: undefined })}
        data={(Object.keys(PRESETS_MS) as Preset[]).map((value) => ({
          value,
          label: words.presets[value],
        }))}
      />
      {isZoomed ? (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconZoomOut size={14} aria-hidden />}
          onClick={() => onChange({ last: choice.last, from: undefined, to: undefined })}
        >
          {words.zoomOut}
        </Button>
      ) : null}
    </Group>
  );
}
