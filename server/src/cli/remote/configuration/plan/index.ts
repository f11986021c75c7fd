export {
  type ActualRecord,
  type Create,
  type Delete,
  fixedFieldProblems,
  type Plan,
  planOf,
  type Step,
  type Update,
} from './plan.ts';
export { type CountedPlan, isDrift, planJson, planLines } from './text.ts';
