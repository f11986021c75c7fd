export { type ContactMethods, createContactMethods } from './contact-methods.ts';
export {
  type ContactPlan,
  type ContactStep,
  findContactWishes,
  listContactPlans,
} from './contact-plans.ts';
export { destinationOf } from './destination.ts';
export { createNotificationRules, type NotificationRulesHandlers } from './notification-rules.ts';
export { type ContactWishes, planOf } from './plan.ts';
export { createVerification, type Verification } from './verification.ts';
