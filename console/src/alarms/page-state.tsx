import type { PageState } from '@fieldwatch/contract';
import { pages as words } from '../strings/index.ts';
import { StateBadge, type Tone } from '../ui/index.ts';

const TONES: Readonly<Record<PageState, Tone>> = {
  ACTIVE: 'critical',
  EXHAUSTED: 'high',
  ACKNOWLEDGED: 'low',
  SUPPRESSED: 'plain',
  RESOLVED: 'good',
};

export function PageStateBadge({ state }: { state: PageState }) {
  return <StateBadge tone={TONES[state]}>{words.states[state]}</StateBadge>;
}
