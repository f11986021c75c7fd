import { GRID_COLUMNS } from '@fieldwatch/contract';
import { Button, Fieldset, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { type Widget, withArea, withChange } from '../dashboards/index.ts';
import { IconCopy, IconTrash } from '../icons/index.ts';
import { strings } from '../strings/index.ts';
import { BoundedNumber } from './bounded-number.tsx';
import { TypeSettings } from './type-settings.tsx';

const words = strings.dashboards.edit;

interface Props {
  readonly widget: Widget | null;
  readonly widgets: readonly Widget[];
  readonly onChange: (widgets: Widget[], about?: string) => void;
  readonly onDuplicate: (widget: Widget) => void;
  readonly onRemove: (widget: Widget) => void;
  /** Whether the board is a template, whose widgets name classifications. */
  readonly isTemplate: boolean;
}

export function WidgetSettings(props: Props) {
  const { widget, widgets, onChange, onDuplicate, onRemove, isTemplate } = props;
  if (!widget) {
    return (
      <Text size="sm" c="dimmed">
        {words.select}
      </Text>
    );
  }
  const set = (change: object) =>
    onChange(
      withChange(widgets, widget.id, change),
      `${widget.id} ${Object.keys(change).join(' ')}`,
    );
  return (
    <Stack gap="sm">
      <TextInput
        label={words.titleField}
        maxLength={100}
        value={widget.title ?? ''}
        onChange={({ currentTarget }) => set({ title: currentTarget.value })}
      />
      <TypeSettings key={widget.id} widget={widget} set={set} isTemplate={isTemplate} />
      <AreaFields widget={widget} onArea={(area) => onChange(withArea(widgets, widget.id, area))} />
      <Group gap="xs">
        <Button
          size="xs"
          variant="default"
          leftSection={<IconCopy size={14} aria-hidden />}
          onClick={() => onDuplicate(widget)}
        >
          {words.duplicate}
        </Button>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconTrash size={14} aria-hidden />}
          onClick={() => onRemove(widget)}
        >
          {words.remove}
        </Button>
      </Group>
    </Stack>
  );
}

interface AreaProps {
  readonly widget: Widget;
  readonly onArea: (area: Pick<Widget, 'x' | 'y' | 'w' | 'h'>) => void;
}

/** An alternative to dragging. */
function AreaFields({ widget, onArea }: AreaProps) {
  const { x, y, w, h } = widget;
  // The bounds of one field depend on the others, as a widget ends within the grid.
  const fields = [
    { label: words.x, key: 'x', value: x, min: 0, max: GRID_COLUMNS - w },
    { label: words.y, key: 'y', value: y, min: 0, max: 10_000 },
    { label: words.w, key: 'w', value: w, min: 1, max: GRID_COLUMNS - x },
    { label: words.h, key: 'h', value: h, min: 1, max: 100 },
  ];
  return (
    <Fieldset legend={words.position}>
      <SimpleGrid cols={2} spacing="xs">
        {fields.map(({ label, key, value, min, max }) => (
          <BoundedNumber
            key={`${widget.id} ${key}`}
            label={label}
            value={value}
            min={min}
            max={max}
            isInteger
            onChange={(next) => next !== undefined && onArea({ x, y, w, h, [key]: next })}
          />
        ))}
      </SimpleGrid>
    </Fieldset>
  );
}
