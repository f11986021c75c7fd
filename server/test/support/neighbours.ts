import { startNeighbour, startServer, type TestServer } from './server.ts';

export interface Neighbours {
  readonly server: TestServer;
  /** Another organization in the same database. */
  readonly neighbour: TestServer;
  stop(): Promise<void>;
}

export async function startNeighbours(): Promise<Neighbours> {
  const server = await startServer();
  const neighbour = await startNeighbour(server);
  return {
    server,
    neighbour,
    async stop() {
      await neighbour.stop();
      await server.stop();
    },
  };
}
