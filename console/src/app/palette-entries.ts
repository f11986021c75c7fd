import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCall } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { SECTIONS } from './sections.tsx';

export interface Entry {
  readonly id: string;
  readonly kind: string;
  readonly label: string;
  readonly detail?: string;
  readonly to: string;
}

const { kinds } = strings.app.palette;
const MAX_RESULTS_PER_KIND = 6;

const PAGES: readonly Entry[] = SECTIONS.map(({ to, label }) => ({
  id: to,
  kind: kinds.page,
  label,
  to,
}));

/** Pages and records whose name contains the text. */
export function useEntries(text: string): readonly Entry[] {
  const call = useCall();
  const { organization, may } = useSession();
  const search = text.trim();
  const { data: found = [] } = useQuery({
    queryKey: ['palette', organization.id, search],
    enabled: search !== '',
    placeholderData: keepPreviousData,
    queryFn: async (): Promise<Entry[]> => {
      const query = { search, take: MAX_RESULTS_PER_KIND };
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
