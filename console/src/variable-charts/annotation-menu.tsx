import { ActionIcon, Menu, Switch } from '@mantine/core';
import { ANNOTATION_KINDS, type AnnotationKind } from '../charts/index.ts';
import { IconFlag } from '../icons/index.ts';
import { strings } from '../strings/index.ts';

const words = strings.charts.annotations;

interface Props {
  /** Whether the chart shows all kinds, or Alarms only. */
  readonly isFull: boolean;
  readonly off: readonly AnnotationKind[];
  readonly onChange: (off: readonly AnnotationKind[]) => void;
}

/** Switches for the kinds of annotations. */
export function AnnotationMenu({ isFull, off, onChange }: Props) {
  const toggle = (kind: AnnotationKind) =>
    onChange(off.includes(kind) ? off.filter((each) => each !== kind) : [...off, kind]);
  if (!isFull) {
    return (
      <Switch
        size="xs"
        label={words.kinds.alarm}
        checked={!off.includes('alarm')}
        onChange={() => toggle('alarm')}
      />
    );
  }
  return (
    <Menu closeOnItemClick={false} position="top-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={words.title} title={words.title}>
          <IconFlag size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{words.title}</Menu.Label>
        {ANNOTATION_KINDS.map((kind) => (
          <Menu.CheckboxItem key={kind} checked={!off.includes(kind)} onChange={() => toggle(kind)}>
            {words.kinds[kind]}
          </Menu.CheckboxItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
