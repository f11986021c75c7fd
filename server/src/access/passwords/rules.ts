import { foldEmail, invalid } from '../../runtime/index.ts';
import { isCommonPassword } from './guessable.ts';

const MIN_PASSWORD_LENGTH = 12;
const MAX_PASSWORD_LENGTH = 256;

/** What is wrong with a new password, in words that follow its name; null when nothing is. */
export function passwordProblem(password: string, email: string): string | null {
  const length = [...password].length;
  if (length < MIN_PASSWORD_LENGTH || length > MAX_PASSWORD_LENGTH) {
    return `must have ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters`;
  }
  if (foldEmail(password) === foldEmail(email)) return 'must not be the email';
  return isCommonPassword(password) ? 'must not be a common password' : null;
}

/** Fails with the field named when it holds a password that is too easy to guess. */
export function requireGoodPassword(path: string, password: string, email: string): void {
  const message = passwordProblem(password, email);
  if (message !== null) throw invalid({ path, message });
}
