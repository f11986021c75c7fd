import { ActionIcon, Badge, Indicator, Menu, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type Density, useDensity } from '../design/index.ts';
import {
  IconBook,
  IconBuilding,
  IconCheck,
  IconDevices,
  IconKey,
  IconLogout,
  IconUserCircle,
} from '../icons/index.ts';
import { useInvitations } from '../invitations/index.ts';
import { useSession } from '../session/index.ts';
import { ChangePassword } from '../sign-in/index.ts';
import { strings } from '../strings/index.ts';

const words = strings.app;
const icon = { size: 16, 'aria-hidden': true } as const;

/** The signed-in user, their organizations and sign-out. */
export function AccountMenu() {
  const { me, organization, selectOrganization, signOut } = useSession();
  const [isChanging, setIsChanging] = useState(false);
  const invitations = useInvitations().data?.items.length ?? 0;
  const others = me.organizations.filter(({ id }) => id !== organization.id);
  return (
    <>
      <Menu position="bottom-end" withinPortal width={240}>
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={
              invitations > 0
                ? `${words.account}, ${strings.account.pending(invitations)}`
                : words.account
            }
          >
            <Indicator disabled={invitations === 0} size={8} offset={2}>
              <IconUserCircle size={20} style={{ display: 'block' }} />
            </Indicator>
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>
            <Text size="sm" truncate c="var(--mantine-color-text)">
              {me.name ?? me.email}
            </Text>
            {organization.name}
          </Menu.Label>
          {others.map(({ id, name }) => (
            <Menu.Item
              key={id}
              leftSection={<IconBuilding {...icon} />}
              onClick={() => selectOrganization(id)}
            >
              {name}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconDevices {...icon} />}
            rightSection={invitations > 0 ? <Badge size="sm">{invitations}</Badge> : null}
            component={Link}
            to="/account"
          >
            {strings.account.title}
          </Menu.Item>
          <Menu.Item leftSection={<IconKey {...icon} />} onClick={() => setIsChanging(true)}>
            {words.changePassword}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconBook {...icon} />}
            component="a"
            href="/docs"
            target="_blank"
          >
            {words.reference}
          </Menu.Item>
          <DensityItems />
          <Menu.Divider />
          <Menu.Item leftSection={<IconLogout {...icon} />} onClick={() => void signOut()}>
            {words.signOut}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ChangePassword isOpen={isChanging} onClose={() => setIsChanging(false)} />
    </>
  );
}

const DENSITIES: readonly Density[] = ['comfortable', 'dense'];

function DensityItems() {
  const [density, setDensity] = useDensity();
  return (
    <>
      <Menu.Divider />
      <Menu.Label>{words.density.label}</Menu.Label>
      {DENSITIES.map((each) => (
        <Menu.RadioItem
          key={each}
          value={each}
          checked={each === density}
          checkIcon={<IconCheck {...icon} />}
          closeMenuOnClick={false}
          onChange={() => setDensity(each)}
        >
          {words.density[each]}
        </Menu.RadioItem>
      ))}
    </>
  );
}
