// Loaded before the server: its clock is the machine's, plus an offset that the parent process sets.
// Timers keep running evenly, as they do when somebody sets the clock of a machine.
const RealDate = globalThis.Date;
const realNow = RealDate.now.bind(RealDate);
let offsetMs = Number(process.env.TORTURE_CLOCK_OFFSET_MS ?? 0);

RealDate.now = () => realNow() + offsetMs;
globalThis.Date = new Proxy(RealDate, {
  construct(target, args, newTarget) {
    const values = args.length === 0 ? [target.now()] : args;
    return Reflect.construct(target, values, newTarget === globalThis.Date ? target : newTarget);
  },
  apply: (target) => new target(target.now()).toString(),
});

process.on('message', (message) => {
  offsetMs = message.offsetMs;
  process.send?.({ offsetMs });
});
process.channel?.unref();
// Nobody is left who would stop this server.
process.on('disconnect', () => process.exit(1));
