import { resolvedWidgets } from '@fieldwatch/contract';
import { useMemo } from 'react';
import { useLocations } from '../references/index.ts';
import { type Dashboard, useRead } from '../service/index.ts';
import type { Widget } from './widget.ts';

type Configuration = Dashboard['configuration'];

const MAX_TARGETS = 1_000;
const MAX_ASSETS = 200;

export interface TemplateTargets {
  readonly kind: 'LOCATION' | 'ASSET';
  /** The sites or Assets that can be chosen; undefined while they load. */
  readonly options: readonly { readonly value: string; readonly label: string }[] | undefined;
}

/** What the viewer of a template can choose; null for a board that is none. */
export function useTemplateTargets(template: Configuration['template'] | undefined) {
  const { kind, assetType } = template ?? {};
  const locations = useLocations();
  const assets = useRead(
    'listAssets',
    { query: { take: MAX_TARGETS, ...(assetType ? { types: [assetType] } : {}) } },
    { enabled: kind === 'ASSET', staleMs: 60_000 },
  );
  return useMemo((): TemplateTargets | null => {
    if (kind === undefined) return null;
    const { data } = kind === 'LOCATION' ? locations : assets;
    const options = data?.items
      .map(({ id, name }) => ({ value: id, label: name }))
      .sort((a, b) => a.label.localeCompare(b.label));
    return { kind, options };
  }, [kind, locations, assets]);
}

/** The widgets of a board, those of a template with the Variables of the chosen site or Asset. */
export function useResolvedWidgets(
  configuration: Configuration,
  target: string | undefined,
): { readonly widgets: readonly Widget[]; readonly isPending: boolean } {
  const kind = configuration.template?.kind;
  const isChosen = target !== undefined;
  const atSite = useRead(
    'listAssets',
    { query: { locationIds: [target ?? ''], take: MAX_ASSETS } },
    { enabled: kind === 'LOCATION' && isChosen, staleMs: 60_000, keepsPrevious: true },
  );
  const asset = useRead(
    'retrieveAsset',
    { assetId: target ?? '' },
    { enabled: kind === 'ASSET' && isChosen, staleMs: 60_000, keepsPrevious: true },
  );
  const chosen = kind === 'LOCATION' ? atSite.data?.items : asset.data && [asset.data];
  const widgets = useMemo(
    () => resolvedWidgets(configuration, chosen ?? []),
    [configuration, chosen],
  );
  const query = kind === 'LOCATION' ? atSite : asset;
  return { widgets, isPending: kind !== undefined && isChosen && query.isPending };
}
