export { Publisher, type PublisherDeps } from './publisher.ts';
export { SESSION_LIMITS, type SessionDeps } from './session.ts';
