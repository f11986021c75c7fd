import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { searchOf, variableLabel } from '../references/index.ts';
import { nowMs } from '../runtime/index.ts';
import { type Device, keyOf, useCall } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { exactTime, ranked } from '../ui/index.ts';
import { useSections } from './sections.tsx';

export interface Entry {
  readonly id: string;
  readonly kind: string;
  readonly label: string;
  /** What tells records with the same label apart. */
  readonly detail?: string;
  /** Further names by which a search may match exactly. */
  readonly names?: readonly string[];
  readonly to: string;
}

const { kinds } = strings.app.palette;
const MAX_RESULTS_PER_KIND = 6;
const MAX_EVENTS = 3;
/** The server lists the newest first, so more are read than shown, for exact matches among them. */
const MAX_RANKED = 100;
const EVENT_DAYS = 30;
const DAY_MS = 24 * 60 * 60_000;

/** Pages and records whose names contain the text, exact matches first. */
export function useEntries(text: string): readonly Entry[] {
  const { organization } = useSession();
  const find = useSearches();
  const search = searchOf(text);
  const { data: found = [] } = useQuery({
    queryKey: ['palette', organization.id, search],
    enabled: search !== '',
    placeholderData: keepPreviousData,
    queryFn: () => find(search),
  });
  const pages = useSections()
    .filter(({ label }) => label.toLowerCase().includes(search.toLowerCase()))
    .map(({ to, label }): Entry => ({ id: to, kind: kinds.page, label, to }));
  return search === ''
    ? pages
    : ranked([...pages, ...found], search, ({ label, names = [] }) => [label, ...names]);
}

function useSearches(): (search: string) => Promise<Entry[]> {
  const call = useCall();
  const { may } = useSession();
  const alarmEntries = useAlarmEntries();
  return async (search) => {
    const query = { search, take: MAX_RANKED };
    const none = { items: [] };
    const [devices, variables, assets, dashboards, locations, alarms] = await Promise.all([
      call('listDevices', { query }),
      call('searchVariables', { body: { search, take: MAX_RESULTS_PER_KIND } }),
      may('ReadAssets') ? call('listAssets', { query }) : none,
      may('ReadDashboards') ? call('listDashboards', { query }) : none,
      call('listLocations', { query }),
      may('ReadAlarmConfigurations') ? alarmEntries(search) : [],
    ]);
    const entries = (kind: string, path: string, items: readonly { id: string; name: string }[]) =>
      ranked(items, search, ({ name }) => [name])
        .slice(0, MAX_RESULTS_PER_KIND)
        .map(({ id, name }) => ({ id, kind, label: name, to: `${path}/${id}` }));
    return [
      ...entries(kinds.device, '/devices', devices.items),
      ...entries(kinds.asset, '/assets', assets.items),
      ...entries(kinds.location, '/locations', locations.items),
      ...entries(kinds.dashboard, '/dashboards', dashboards.items),
      ...variables.items.map(({ id, name, deviceName, locationName, unit }) => ({
        id,
        kind: kinds.variable,
        label: variableLabel(deviceName, name),
        names: [name],
        detail: [locationName, unit].filter((each) => each !== null).join(' · '),
        to: `/variables/${id}`,
      })),
      ...alarms,
    ];
  };
}

/** Alarms with their Devices, and their latest events. */
function useAlarmEntries(): (search: string) => Promise<Entry[]> {
  const call = useCall();
  const queries = useQueryClient();
  const { organization } = useSession();
  const nameOf = async (deviceId: string): Promise<string> => {
    const queryKey = keyOf(organization.id, 'retrieveDevice', { deviceId });
    const queryFn = (): Promise<Device> => call('retrieveDevice', { deviceId });
    return (await queries.fetchQuery({ queryKey, queryFn, staleTime: 60_000 })).name;
  };
  return async (search) => {
    const now = nowMs();
    const span = { startTime: now - EVENT_DAYS * DAY_MS, endTime: now };
    const [alarms, events] = await Promise.all([
      call('searchAlarms', { body: { search, take: MAX_RANKED } }),
      call('listAlarmHistory', { body: { ...span, search, take: MAX_EVENTS } }),
    ]);
    const shown = ranked(alarms.items, search, ({ name }) => [name]).slice(0, MAX_RESULTS_PER_KIND);
    const entries = shown.map(async ({ id, name, deviceId }) => ({
      id,
      kind: kinds.alarm,
      label: name,
      detail: await nameOf(deviceId),
      to: `/alarms/configurations/${id}`,
    }));
    return [
      ...(await Promise.all(entries)),
      ...events.items.map(({ id, alarmName, deviceName, raisedDateTime }) => ({
        id,
        kind: kinds.event,
        label: alarmName,
        detail: `${deviceName} · ${exactTime(Date.parse(raisedDateTime))}`,
        to: `/alarms/events/${id}`,
      })),
    ];
  };
}
