import { ActionIcon, Button, List, Tooltip } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useLocations } from '../references/index.ts';
import { type Location, useRead, useWrite } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { Confirm, tell } from '../ui/index.ts';
import { useAssetsAt, useDevicesAt } from './location-contents.tsx';
import { LocationForm } from './location-form.tsx';

const words = strings.locations;

export function LocationActions({ location }: { location: Location }) {
  const { may } = useSession();
  const navigate = useNavigate();
  const remove = useWrite('deleteLocation');
  const [asking, setAsking] = useState<'edit' | 'delete' | null>(null);
  const close = () => setAsking(null);
  if (!may('ManageLocations')) return null;
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconPencil size={16} aria-hidden />}
        onClick={() => setAsking('edit')}
      >
        {strings.ui.edit}
      </Button>
      <Tooltip label={strings.ui.remove}>
        <ActionIcon
          variant="default"
          size={36}
          aria-label={strings.ui.remove}
          onClick={() => setAsking('delete')}
        >
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <LocationForm editing={asking === 'edit' ? location : null} onClose={close} />
      <Confirm
        title={words.remove.title(location.name)}
        action={strings.ui.remove}
        isOpen={asking === 'delete'}
        onClose={close}
        onConfirm={async () => {
          await navigate({ to: '/locations' });
          await remove.mutateAsync({ locationId: location.id });
          tell(words.remove.done);
        }}
      >
        <WhatIsLost location={location} />
      </Confirm>
    </>
  );
}

/** Everything that would stand without this Location, counted. */
function WhatIsLost({ location: { id } }: { location: Location }) {
  const { data: all } = useLocations();
  const { devices } = useDevicesAt(id);
  const { data: assets } = useAssetsAt(id);
  const { may } = useSession();
  const { data: alarms } = useRead(
    'searchAlarms',
    { body: { locationIds: [id], take: 1 } },
    { enabled: may('ReadAlarmConfigurations') },
  );
  const within = all?.items.filter(({ parentId }) => parentId === id) ?? [];
  const losses = [
    { count: devices?.length ?? 0, text: words.remove.devices },
    { count: assets?.count ?? 0, text: words.remove.assets },
    { count: within.length, text: words.remove.within },
    { count: alarms?.count ?? 0, text: words.remove.alarms },
  ].filter(({ count }) => count > 0);
  return (
    <>
      {words.remove.text}
      {losses.length === 0 ? ` ${words.remove.nothing}` : null}
      <List size="sm" mt="xs">
        {losses.map(({ count, text }) => (
          <List.Item key={text(2)}>{text(count)}</List.Item>
        ))}
      </List>
    </>
  );
}
