import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCall } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { PLACES } from './places.tsx';

export interface Entry {
  readonly id: string;
  readonly kind: string;
  readonly label: string;
  readonly detail?: string;
  readonly to: string;
}

const { kinds } = strings.app.palette;
const FEW = 6;

const PAGES: readonly Entry[] = PLACES.map(({ to, label }) => ({
  id: to,
  kind: kinds.page,
  label,
  to,
}));

/** What has this in its name: pages first, then records of the service. */
export function useEntries(text: string): readonly Entry[] {
  const call = useCall();
  const { organization, may } = useSession();
  const search = text.trim();
  const { data: found = [] } = useQuery({
    queryKey: ['palette', organization.id, search],
    enabled: search !== '',
    placeholderData: keepPreviousData,
    queryFn: async (): Promise<Entry[]> => {
      const query = { search, take: FEW };
      const [devices, variables, assets, dashboards] = await Promise.all([
        call('listDevices', { query }),
        call('listVariables', { query }),
        may('ReadAssets') ? call('listAssets', { query }) : { items: [] },
        may('ReadDashboards') ? call('listDashboards', { query }) : { items: [] },
      ]);
      const entries = (
        kind: string,
        path: string,
        items: readonly { id: string; name: string }[],
      ) => items.map(({ id, name }) => ({ id, kind, label: name, to: `${path}/${id}` }));
      return [
        ...entries(kinds.device, '/devices', devices.items),
        ...entries(kinds.asset, '/assets', assets.items),
        ...entries(kinds.dashboard, '/dashboards', dashboards.items),
        ...entries(kinds.variable, '/variables', variables.items),
      ];
    },
  });
  const pages = PAGES.filter(({ label }) => label.toLowerCase().includes(search.toLowerCase()));
  return search === '' ? pages : [...pages, ...found];
}
