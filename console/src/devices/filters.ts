import {
  ARCHIVED_SCOPES,
  type ArchivedScope,
  DEVICE_TYPES,
  type DeviceType,
} from '@fieldwatch/contract';
import { compact, manyIn, oneIn, pageIn, type Raw, textIn } from '../service/index.ts';

export interface DeviceFilters {
  readonly search?: string | undefined;
  readonly types?: readonly DeviceType[] | undefined;
  readonly scope?: ArchivedScope | undefined;
  readonly page?: number | undefined;
}

export function parseDeviceFilters(raw: Raw): DeviceFilters {
  return compact({
    search: textIn(raw.search),
    types: manyIn(raw.types, DEVICE_TYPES),
    scope: oneIn(raw.scope, ARCHIVED_SCOPES),
    page: pageIn(raw.page),
  });
}
