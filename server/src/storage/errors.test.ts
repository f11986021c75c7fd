import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { breaksConnection, isUnavailable } from './errors.ts';

function errorOf(code: string): pg.DatabaseError {
  const error = new pg.DatabaseError('message', 7, 'error');
  error.code = code;
  return error;
}

describe('a failure of PostgreSQL', () => {
  it.each([
    ['25006', 'a read-only transaction', 'gives up the connection'],
    ['25P03', 'a transaction idle for too long', 'gives up the connection'],
    ['25P04', 'a transaction over its time limit', 'gives up the connection'],
    ['08006', 'a lost connection', 'gives up the connection'],
    ['28P01', 'a refused password', 'gives up the connection'],
    ['3D000', 'a missing database', 'gives up the connection'],
    ['53300', 'too many connections', 'gives up the connection'],
    ['57P01', 'a shutdown', 'gives up the connection'],
    ['57P02', 'a crash of another session', 'gives up the connection'],
    ['57P03', 'a start-up', 'gives up the connection'],
    ['57P05', 'a session idle for too long', 'gives up the connection'],
    ['57P04', 'a dropped database', 'gives up the connection'],
    ['40001', 'a serialization failure', 'keeps the connection'],
    ['40003', 'an unknown completion', 'keeps the connection'],
    ['40P01', 'a deadlock', 'keeps the connection'],
    ['53100', 'a full disk', 'keeps the connection'],
    ['53200', 'too little memory', 'keeps the connection'],
    ['53400', 'a configured limit', 'keeps the connection'],
    ['55006', 'an object in use', 'keeps the connection'],
    ['55P03', 'a lock that is not available', 'keeps the connection'],
    ['57014', 'a statement over its time limit', 'keeps the connection'],
    ['58030', 'an I/O error', 'keeps the connection'],
    ['72000', 'a snapshot that is too old', 'keeps the connection'],
  ])('with the state %s, %s, is temporary and %s', (code, _, connection) => {
    expect(isUnavailable(errorOf(code))).toBe(true);
    expect(breaksConnection(errorOf(code))).toBe(connection === 'gives up the connection');
  });

  it.each([
    ...['0A000', '22P02', '23505', '23503', '25P02', '40002', '42501', '42P01', '54000', '55000'],
    ...['FW001', 'P0001', 'XX000', 'XX001', 'XX002', ''],
  ])('with the state %s is permanent and keeps the connection', (code) => {
    expect(isUnavailable(errorOf(code))).toBe(false);
    expect(breaksConnection(errorOf(code))).toBe(false);
  });
});
