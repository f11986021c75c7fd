const UNITS_TO_AVOID =
  /_(milliseconds|ms|microseconds|minutes|hours|days|kilobytes|kb|megabytes|mb|percent|celcius|bits)(_|$)/;
const RESERVED = /_(count|sum|bucket)$/;

/** What is wrong with the names and help texts of a page of metrics, by the Prometheus conventions. */
export function conventionErrors(page: string): string[] {
  const help = new Map<string, string>();
  const errors: string[] = [];
  for (const line of page.split('\n')) {
    const [, helped, text] = /^# HELP (\S+) ?(.*)$/.exec(line) ?? [];
    if (helped !== undefined) help.set(helped, text ?? '');
    const [, name, type] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
    if (name === undefined || type === undefined) continue;
    const complain = (rule: string) => errors.push(`${name}: ${rule}`);
    if (!/^[a-z][a-z0-9_]*$/.test(name)) complain('must be lower case words with underscores');
    if ((help.get(name) ?? '').trim() === '') complain('must have a help text');
    if (type === 'counter' && !name.endsWith('_total')) complain('a counter must end in _total');
    if (type !== 'counter' && name.endsWith('_total')) complain('only a counter may end in _total');
    if (RESERVED.test(name)) complain('must not end like a series of a histogram');
    if (/(^|_)(gauge|counter|histogram|summary)(_|$)/.test(name))
      complain('must not name its type');
    if (UNITS_TO_AVOID.test(name)) complain('must be in a base unit');
  }
  return errors;
}
