export {
  bestGateway,
  intervalSecondsOf,
  learnedOnlineMinutes,
  logged,
  lostBefore,
  lostWithinDay,
  NO_RADIO,
  type Radio,
  radioAfter,
} from './radio.ts';
