import { expect, it } from 'vitest';
import { countTests, type Report } from './count.mjs';

const clean: Report = {
  numPassedTests: 3,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [{ status: 'passed', assertionResults: [{ status: 'passed' }] }],
};

it('counts what passed', () => {
  expect(countTests(true, clean)).toEqual({ passed: 3, failed: 0, complaints: [] });
});

it('counts a failed test once, though vitest and its file failed too', () => {
  const testResults = [{ status: 'failed', assertionResults: [{ status: 'failed' }] }];
  const report = { ...clean, numFailedTests: 1, testResults };
  expect(countTests(false, report)).toEqual({ passed: 3, failed: 1, complaints: [] });
});

it('counts a file that could not be run as a failure', () => {
  const report = { ...clean, testResults: [{ status: 'failed', assertionResults: [] }] };
  expect(countTests(false, report)).toMatchObject({ passed: 3, failed: 1 });
});

it('counts skipped and planned tests as failures', () => {
  const report = { ...clean, numPendingTests: 1, numTodoTests: 1 };
  expect(countTests(true, report)).toEqual({
    passed: 3,
    failed: 2,
    complaints: ['2 tests were skipped; none may be.'],
  });
});

it('fails when no test ran', () => {
  const report = { ...clean, numPassedTests: 0, testResults: [] };
  expect(countTests(true, report)).toMatchObject({ passed: 0, failed: 1 });
  expect(countTests(false, report)).toMatchObject({ passed: 0, failed: 1 });
});

it('fails when vitest failed outside of any test, or did not live to report', () => {
  expect(countTests(false, clean)).toMatchObject({ passed: 3, failed: 1 });
  expect(countTests(false, undefined)).toMatchObject({ passed: 0, failed: 1 });
});
