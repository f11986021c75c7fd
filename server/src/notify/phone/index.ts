export { type Called, callService } from './call.ts';
export { createPhoneChannels, type PhoneChannels } from './channels.ts';
export { listActiveChannels, type PhoneChannelRow } from './store.ts';
