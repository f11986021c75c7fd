export { type AlarmAnalysis, type AnalysisDeps, createAlarmAnalysis } from './analysis.ts';
export { countPhases } from './store.ts';
