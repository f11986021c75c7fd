export { answerMcpOverHttp } from './http.ts';
export { serveMcpOverStdio } from './stdio.ts';
