export { createChirpstackRegistrar } from './chirpstack.ts';
