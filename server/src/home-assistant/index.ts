export { createHomeAssistant, type HomeAssistant } from './home-assistant.ts';
export { homeAssistantRoutes } from './routes.ts';
