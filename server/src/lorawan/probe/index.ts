export { ProbeFailure, probeNetwork } from './probe.ts';
