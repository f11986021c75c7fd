import { List } from '@mantine/core';
import { useState } from 'react';
import { useLocations } from '../references/index.ts';
import { type Location, useRead } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { DeleteAction, EditButton } from '../ui/index.ts';
import { useAssetsAt, useDevicesAt } from './location-contents.tsx';
import { LocationForm } from './location-form.tsx';

const words = strings.locations;

export function LocationActions({ location }: { location: Location }) {
  const { may } = useSession();
  const [isEditing, setIsEditing] = useState(false);
  if (!may('ManageLocations')) return null;
  return (
    <>
      <EditButton onClick={() => setIsEditing(true)} />
      <DeleteAction
        operation="deleteLocation"
        input={{ locationId: location.id }}
        name={location.name}
        leaveTo="/locations"
      >
        <DeletionEffects location={location} />
      </DeleteAction>
      <LocationForm editing={isEditing ? location : null} onClose={() => setIsEditing(false)} />
    </>
  );
}

/** The counts of records that refer to the Location. */
function DeletionEffects({ location: { id } }: { location: Location }) {
  const { data: all } = useLocations();
  const { devices } = useDevicesAt(id);
  const { data: assets } = useAssetsAt(id);
  const { may } = useSession();
  const { data: alarms } = useRead(
    'searchAlarms',
    { body: { locationIds: [id], take: 1 } },
    { enabled: may('ReadAlarmConfigurations') },
  );
  const children = all?.items.filter(({ parentId }) => parentId === id) ?? [];
  const losses = [
    { count: devices?.length ?? 0, text: words.remove.devices },
    { count: assets?.count ?? 0, text: words.remove.assets },
    { count: children.length, text: words.remove.children },
    { count: alarms?.count ?? 0, text: words.remove.alarms },
  ].filter(({ count }) => count > 0);
  return (
    <>
      {words.remove.text}
      {losses.length === 0 ? ` ${words.remove.unreferenced}` : null}
      <List size="sm" mt="xs">
        {losses.map(({ count, text }) => (
          <List.Item key={text(2)}>{text(count)}</List.Item>
        ))}
      </List>
    </>
  );
}
