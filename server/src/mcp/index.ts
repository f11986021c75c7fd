export { serveMcpOverStdio } from './stdio.ts';
