import { operations } from '@fieldwatch/contract';
import type { Serve } from '../http/index.ts';
import type { ManagedResources } from './managed-resources.ts';

export function managedRoutes(serve: Serve, managed: ManagedResources): void {
  serve(operations.listManagedResources, managed.list);
  serve(operations.updateManagedResources, managed.update);
}
