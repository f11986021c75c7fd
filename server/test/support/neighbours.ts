import {
  joinServer,
  startNeighbour,
  startServer,
  type TestOrganization,
  type TestServer,
} from './server.ts';

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

export interface JoinedNeighbours {
  readonly server: TestOrganization;
  readonly neighbour: TestOrganization;
}

/** Two organizations of the server that the files of a worker share. */
export async function joinNeighbours(): Promise<JoinedNeighbours> {
  return { server: await joinServer(), neighbour: await joinServer() };
}
