export { createRotaCalendars, type RotaCalendars } from './calendar/index.ts';
export { createRotaMails, type RotaMails } from './mails/index.ts';
export { findRotas, type KnownRota, listOnCall } from './on-call.ts';
export { createRotas, type Rotas } from './rotas.ts';
export { onCallAt, type RotaPlan, type Shift, shiftsOf } from './shifts.ts';
