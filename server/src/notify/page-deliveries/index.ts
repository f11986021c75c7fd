export {
  deliverPage,
  deliverToPaged,
  type PageRecipient,
} from './page-deliveries.ts';
export { type PageContent, testEvent } from './page-message.ts';
export { cancelUnsent, hastenNext } from './store.ts';
