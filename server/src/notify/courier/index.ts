export { type Courier, createCourier } from './courier.ts';
export type { MailSettings } from './mail-channel.ts';
