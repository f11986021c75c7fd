export {
  bestGateway,
  intervalSecondsOf,
  learnedGatewayMinutes,
  learnedOnlineMinutes,
  logged,
  lostBefore,
  lostWithinDay,
  NO_RADIO,
  type Radio,
  radioAfter,
  radioAfterStatistics,
  retransmittedWithinDay,
} from './radio.ts';
