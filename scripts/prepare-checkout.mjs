// Prepares the checkout in a process of its own, for a script whose process then runs for long.
import { prepare } from './prepare.mjs';

process.exitCode = (await prepare()) ? 0 : 1;
