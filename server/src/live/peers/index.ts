export { LivePeers, type LivePeersDeps } from './live-peers.ts';
