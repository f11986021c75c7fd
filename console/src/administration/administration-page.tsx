import { Tabs } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Navigate, useNavigate, useParams } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { type AdministrationPermission, useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { Empty, Page, TabList } from '../ui/index.ts';
import classes from './administration-page.module.css';
import { AlarmGroups } from './alarm-groups.tsx';
import { ApiKeys } from './api-keys.tsx';
import { AuditLog } from './audit-log.tsx';
import { Codecs } from './codecs.tsx';
import { Deliveries } from './deliveries.tsx';
import { EscalationPolicies } from './escalation-policies.tsx';
import { Folders } from './folders.tsx';
import { Heartbeats } from './heartbeats.tsx';
import { HomeAssistant } from './home-assistant.tsx';
import { LorawanNetworks } from './lorawan-networks.tsx';
import { Nodes } from './nodes.tsx';
import { PhoneChannels } from './phone-channels.tsx';
import { Rotas } from './rotas.tsx';
import { Settings } from './settings.tsx';
import { Users } from './users.tsx';
import { Webhooks } from './webhooks.tsx';

const words = strings.administration;

type Tab = Exclude<keyof typeof words.tabs, 'label'>;

interface Section {
  readonly tab: Tab;
  readonly permission: AdministrationPermission;
  readonly Content: ComponentType;
}

interface SectionGroup {
  readonly name: keyof typeof words.sections;
  readonly sections: readonly Section[];
}

const GROUPS: readonly SectionGroup[] = [
  {
    name: 'access',
    sections: [
      { tab: 'users', permission: 'ManageUsers', Content: Users },
      { tab: 'api-keys', permission: 'ManageApiKeys', Content: ApiKeys },
    ],
  },
  {
    name: 'notifications',
    sections: [
      { tab: 'alarm-groups', permission: 'ManageAlarmGroups', Content: AlarmGroups },
      { tab: 'escalation-policies', permission: 'ManagePaging', Content: EscalationPolicies },
      { tab: 'rotas', permission: 'ManagePaging', Content: Rotas },
      { tab: 'webhooks', permission: 'ManageWebhooks', Content: Webhooks },
      { tab: 'phone-channels', permission: 'ManageIntegrations', Content: PhoneChannels },
      { tab: 'deliveries', permission: 'ManageAlarmGroups', Content: Deliveries },
      { tab: 'heartbeats', permission: 'ManagePaging', Content: Heartbeats },
    ],
  },
  {
    name: 'connections',
    sections: [
      { tab: 'lorawan', permission: 'ManageLorawan', Content: LorawanNetworks },
      { tab: 'codecs', permission: 'ManageCodecs', Content: Codecs },
      { tab: 'home-assistant', permission: 'ManageIntegrations', Content: HomeAssistant },
    ],
  },
  {
    name: 'organization',
    sections: [
      { tab: 'folders', permission: 'ManageVariableFolders', Content: Folders },
      { tab: 'audit-log', permission: 'ReadAuditLog', Content: AuditLog },
      { tab: 'nodes', permission: 'ReadNodes', Content: Nodes },
      { tab: 'settings', permission: 'ManageUsers', Content: Settings },
    ],
  },
];

/** There is room for the groups beside the content; the style sheet has the same width. */
const WIDE = '(min-width: 1400px)';

interface NavigationProps {
  readonly groups: readonly SectionGroup[];
  readonly current: Tab;
}

/** Tabs in their groups beside the content, or in one row above it. */
function Navigation({ groups, current }: NavigationProps) {
  const navigate = useNavigate();
  const isWide = useMediaQuery(WIDE, false, { getInitialValueInEffect: false });
  const onChange = (next: string | null) => void navigate({ to: `/administration/${next}` });
  const tabOf = ({ tab }: Section) => (
    <Tabs.Tab key={tab} value={tab}>
      {words.tabs[tab]}
    </Tabs.Tab>
  );
  if (!isWide) {
    return (
      <Tabs value={current} onChange={onChange} mb="md">
        <TabList label={words.tabs.label} value={current}>
          {groups.flatMap(({ sections }) => sections.map(tabOf))}
        </TabList>
      </Tabs>
    );
  }
  return (
    <Tabs
      {...{ value: current, onChange, orientation: 'vertical', variant: 'pills' }}
      className={classes.groups}
    >
      {groups.map(({ name, sections }) => (
        <div key={name}>
          <div className={classes.name} aria-hidden>
            {words.sections[name]}
          </div>
          <Tabs.List aria-label={words.sections[name]}>{sections.map(tabOf)}</Tabs.List>
        </div>
      ))}
    </Tabs>
  );
}

/** Each tab needs the permission for its content. */
export function AdministrationPage() {
  const session = useSession();
  const { tab } = useParams({ strict: false }) as { tab?: string };
  const groups = GROUPS.map(({ name, sections }) => ({
    name,
    sections: sections.filter(({ permission }) => session.may(permission)),
  })).filter(({ sections }) => sections.length > 0);
  const allowed = groups.flatMap(({ sections }) => sections);
  const [first] = allowed;
  if (!first) {
    return (
      <Page title={words.title}>
        <Empty title={words.nothing}>{words.nothingHint}</Empty>
      </Page>
    );
  }
  const current = allowed.find((each) => each.tab === tab);
  if (!current) return <Navigate to={`/administration/${first.tab}`} replace />;
  const { Content } = current;
  return (
    <Page title={words.title} part={words.tabs[current.tab]}>
      <div className={classes.columns}>
        <Navigation groups={groups} current={current.tab} />
        <div className={classes.content}>
          <Content />
        </div>
      </div>
    </Page>
  );
}
