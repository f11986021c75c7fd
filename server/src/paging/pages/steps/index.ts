export { pagePerson, resolve, runDuePages, type StepsDeps } from './steps.ts';
