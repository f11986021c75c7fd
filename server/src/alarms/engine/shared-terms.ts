import { BoundedMap } from '../../runtime/index.ts';
import type { JudgedTerms } from '../judgement/index.ts';

/** Alarms that were made by one assignment, or by one script, have equal terms. */
const MAX_SHARED_TERMS = 4_096;

/** One copy of terms that are equal, of those that were used last. */
export class SharedTerms {
  readonly #shared = new BoundedMap<string, JudgedTerms>(MAX_SHARED_TERMS);

  of(terms: JudgedTerms): JudgedTerms {
    const key = JSON.stringify(terms);
    const shared = this.#shared.get(key) ?? terms;
    this.#shared.set(key, shared);
    return shared;
  }
}
