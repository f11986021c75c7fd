import { ActionIcon, Button, Group, SegmentedControl, Tooltip } from '@mantine/core';
import { IconArrowBackUp, IconChevronLeft, IconChevronRight, IconZoomOut } from '../icons/index.ts';
import { useNow } from '../runtime/index.ts';
import { strings } from '../strings/index.ts';
import { PRESETS_MS, type Preset } from './moving-range.ts';
import { type Range, type RangeChoice, stepOf } from './range.ts';
import { RangePopover } from './range-popover.tsx';

interface Props {
  readonly choice: RangeChoice;
  /** The range that the choice stands for. */
  readonly range: Range;
  readonly fallback?: Preset;
  readonly onChange: (choice: RangeChoice) => void;
  /** Goes back to the range before; null when there is none. */
  readonly onBack?: (() => void) | null;
}

const words = strings.charts;

/** Preset ranges up to now, any other range, steps to earlier and later, and ways out of a zoom. */
export function RangePicker({ choice, range, fallback = 'day', onChange, onBack = null }: Props) {
  const now = useNow();
  const isZoomed = choice.from !== undefined;
  const select = ({ last, from, to }: RangeChoice) => onChange({ last, from, to });
  const step = (direction: -1 | 1) => {
    const { startMs, endMs } = stepOf(range, direction, now);
    select({ from: startMs, to: endMs });
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
        onChange={(last) => select({ last })}
        data={(Object.keys(PRESETS_MS) as Preset[]).map((value) => ({
          value,
          label: words.presets[value],
        }))}
      />
      <Step label={words.later} isDisabled={range.endMs >= now} onClick={() => step(1)}>
        <IconChevronRight size={16} aria-hidden />
      </Step>
      <RangePopover choice={choice} range={range} fallback={fallback} onChange={select} />
      {onBack ? (
        <Step label={words.back} onClick={onBack}>
          <IconArrowBackUp size={16} aria-hidden />
        </Step>
      ) : null}
      {isZoomed ? (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconZoomOut size={14} aria-hidden />}
          onClick={() => select({ last: choice.last })}
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
