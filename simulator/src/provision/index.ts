export { ON_CALL } from './alarms.ts';
export { type Credentials, type Member, type Members, variableId } from './devices.ts';
export { everything, MARK, NotOursError, ownByName, type Target } from './own.ts';
export { type Provisioned, provision } from './provision.ts';
