export { type Connections, createConnections, PublishError } from './connections.ts';
export { createPublisher } from './publisher.ts';
