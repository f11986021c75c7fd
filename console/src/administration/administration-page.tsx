import type { Permission } from '@fieldwatch/contract';
import { Tabs } from '@mantine/core';
import { Navigate, useNavigate, useParams } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { Empty, Page, TabList } from '../ui/index.ts';
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

const TABS: readonly { tab: Tab; permission: Permission; Content: ComponentType }[] = [
  { tab: 'users', permission: 'ManageUsers', Content: Users },
  { tab: 'api-keys', permission: 'ManageApiKeys', Content: ApiKeys },
  { tab: 'alarm-groups', permission: 'ManageAlarmGroups', Content: AlarmGroups },
  { tab: 'deliveries', permission: 'ManageAlarmGroups', Content: Deliveries },
  { tab: 'escalation-policies', permission: 'ManagePaging', Content: EscalationPolicies },
  { tab: 'rotas', permission: 'ManagePaging', Content: Rotas },
  { tab: 'heartbeats', permission: 'ManagePaging', Content: Heartbeats },
  { tab: 'webhooks', permission: 'ManageWebhooks', Content: Webhooks },
  { tab: 'phone-channels', permission: 'ManageIntegrations', Content: PhoneChannels },
  { tab: 'home-assistant', permission: 'ManageIntegrations', Content: HomeAssistant },
  { tab: 'lorawan', permission: 'ManageLorawan', Content: LorawanNetworks },
  { tab: 'codecs', permission: 'ManageCodecs', Content: Codecs },
  { tab: 'folders', permission: 'ManageVariableFolders', Content: Folders },
  { tab: 'audit-log', permission: 'ReadAuditLog', Content: AuditLog },
  { tab: 'nodes', permission: 'ReadNodes', Content: Nodes },
  { tab: 'settings', permission: 'ManageUsers', Content: Settings },
];

/** Each tab needs the permission for its content. */
export function AdministrationPage() {
  const session = useSession();
  const { tab } = useParams({ strict: false }) as { tab?: string };
  const navigate = useNavigate();
  const allowed = TABS.filter(({ permission }) => session.may(permission));
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
    <Page title={words.title}>
      <Tabs
        value={current.tab}
        onChange={(next) => void navigate({ to: `/administration/${next}` })}
        mb="md"
      >
        <TabList label={words.tabs.label} value={current.tab}>
          {allowed.map(({ tab: each }) => (
            <Tabs.Tab key={each} value={each}>
              {words.tabs[each]}
            </Tabs.Tab>
          ))}
        </TabList>
      </Tabs>
      <Content />
    </Page>
  );
}
