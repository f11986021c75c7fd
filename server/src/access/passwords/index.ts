export { passwordProblem, requireGoodPassword } from './rules.ts';
