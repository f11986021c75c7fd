export { type ContactMethods, createContactMethods } from './contact-methods.ts';
export { type ContactPlan, type ContactStep, listContactPlans } from './contact-plans.ts';
export { createNotificationRules, type NotificationRulesHandlers } from './notification-rules.ts';
export { createVerification, type Verification } from './verification.ts';
