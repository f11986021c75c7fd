export { createDeliveries, type Deliveries } from './deliveries.ts';
