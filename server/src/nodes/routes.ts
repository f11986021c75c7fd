import { operations } from '@fieldwatch/contract';
import type { Serve } from '../http/index.ts';
import type { Nodes } from './nodes.ts';

export function nodeRoutes(serve: Serve, nodes: Nodes): void {
  serve(operations.listNodes, nodes.list);
}
