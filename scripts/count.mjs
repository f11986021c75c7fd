/**
 * The result of a test run. A run fails not only by a failed test: also by a file that could not be
 * loaded, by a test that was left out, by an error outside of any test, and by running nothing.
 */
export function countTests(ok, report) {
  if (!report) return { passed: 0, failed: 1, complaints: ['The tests did not run to their end.'] };
  const { numPassedTests: passed, numPendingTests: skipped, numTodoTests: todo } = report;
  const broken = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  ).length;
  const complaints = [];
  let failed = report.numFailedTests + broken;
  const complain = (count, sentence) => {
    failed += count;
    complaints.push(sentence);
  };
  if (broken > 0) complaints.push(`${broken} test files could not be run.`);
  if (skipped + todo > 0) {
    complain(skipped + todo, `${skipped + todo} tests were skipped; none may be.`);
  }
  if (passed + failed === 0) complain(1, 'No test ran.');
  if (!ok && failed === 0) complain(1, 'Vitest failed although no test did; see above.');
  return { passed, failed, complaints };
}
