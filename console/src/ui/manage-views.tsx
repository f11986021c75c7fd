import { Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { IconPencil, IconStar, IconTrash } from '../icons/index.ts';
import { strings } from '../strings/index.ts';
import { Dialog } from './form.tsx';
import { RowActions } from './row-actions.tsx';
import { NameView } from './view-name.tsx';
import { renamedView, type SavedView, withDefault, withoutView } from './views.ts';

const words = strings.ui.views;

interface Props {
  readonly views: readonly SavedView[];
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onChange: (views: readonly SavedView[]) => void;
}

/** Renames and deletes views, and selects the default. */
export function ManageViews({ views, isOpen, onClose, onChange }: Props) {
  const [renaming, setRenaming] = useState<string | null>(null);
  const actionsOf = ({ name, isDefault }: SavedView) => [
    {
      label: isDefault ? words.unsetDefault : words.setDefault,
      icon: <IconStar size={16} fill={isDefault ? 'currentColor' : 'none'} />,
      act: () => onChange(withDefault(views, isDefault ? null : name)),
    },
    { label: words.rename, icon: <IconPencil size={16} />, act: () => setRenaming(name) },
    {
      label: strings.ui.remove,
      icon: <IconTrash size={16} />,
      isDestructive: true,
      act: () => onChange(withoutView(views, name)),
    },
  ];
  return (
    <>
      <Dialog title={words.manageTitle} isOpen={isOpen} onClose={onClose}>
        <Stack gap={4}>
          {views.map((view) => (
            <Group key={view.name} justify="space-between" wrap="nowrap">
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                {view.name}
                {view.isDefault ? (
                  <Text span size="xs" c="dimmed" ml={6}>
                    {words.isDefault}
                  </Text>
                ) : null}
              </Text>
              <RowActions name={view.name} actions={actionsOf(view)} />
            </Group>
          ))}
          {views.length === 0 ? (
            <Text size="sm" c="dimmed">
              {words.none}
            </Text>
          ) : null}
        </Stack>
      </Dialog>
      <NameView
        title={words.renameTitle}
        isOpen={renaming !== null}
        current={renaming ?? ''}
        taken={views.map(({ name }) => name)}
        onClose={() => setRenaming(null)}
        onSave={(next) => {
          onChange(renamedView(views, renaming ?? '', next));
          setRenaming(null);
        }}
      />
    </>
  );
}
