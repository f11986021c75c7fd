import { operations } from '@fieldwatch/contract';
import type { Serve } from '../http/index.ts';
import type { HomeAssistant } from './home-assistant.ts';

export function homeAssistantRoutes(serve: Serve, { connections }: HomeAssistant): void {
  serve(operations.listHomeAssistantConnections, connections.list);
  serve(operations.retrieveHomeAssistantConnection, connections.retrieve);
  serve(operations.createHomeAssistantConnection, connections.create);
  serve(operations.updateHomeAssistantConnection, connections.update);
  serve(operations.deleteHomeAssistantConnection, connections.delete);
}
