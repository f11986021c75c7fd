import { ActionIcon, Button, Group, SegmentedControl, Tooltip } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconZoomOut } from '../icons/index.ts';
import { useNow } from '../runtime/index.ts';
import { strings } from '../strings/index.ts';
import { PRESETS_MS, type Preset, type Range, type RangeChoice, stepOf } from './range.ts';

interface Props {
  readonly choice: RangeChoice;
  /** The range that the choice stands for. */
  readonly range: Range;
  readonly fallback?: Preset;
  readonly onChange: (choice: RangeChoice) => void;
}

const words = strings.charts;

/** Preset ranges up to now, steps to earlier and later, and a way out of a zoomed range. */
export function RangePicker({ choice, range, fallback = 'day', onChange }: Props) {
  const now = useNow();
  const isZoomed = choice.from !== undefined;
  const step = (direction: -1 | 1) => {
    const { startMs, endMs } = stepOf(range, direction, now);
    onChange({ last: undefined, from: startMs, to: endMs });
  };
  return (
    <Group gap={4}>
      <Step label={words.earlier} onClick={() => step(-1)}>
        <IconChevronLeft size={16} aria-hidden />
      </Step>
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
      <Step label={words.later} isDisabled={range.endMs >= now} onClick={() => step(1)}>
        <IconChevronRight size={16} aria-hidden />
      </Step>
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

interface StepProps {
  readonly label: string;
  readonly isDisabled?: boolean;
  readonly onClick: () => void;
  readonly children: React.ReactNode;
}

function Step({ label, isDisabled = false, onClick, children }: StepProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={30}
        aria-label={label}
        disabled={isDisabled}
        bg="transparent"
        onClick={onClick}
      >
        {children}
      </ActionIcon>
    </Tooltip>
  );
}
