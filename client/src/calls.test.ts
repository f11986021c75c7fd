import type { ErrorCode, KeyPermission, Role } from '@fieldwatch/contract';
import { describe, expectTypeOf, it } from 'vitest';
import type { Client, FieldwatchError } from './index.ts';

type InputTo<Name extends keyof Client> = NonNullable<Parameters<Client[Name]>[0]>;
type OptionsTo<Name extends keyof Client> = keyof NonNullable<Parameters<Client[Name]>[1]>;

declare const client: Client;

// Checked by the compiler alone: the functions are never called.
describe('the types of a call', () => {
  it('ask for the path parameters by name', () => {
    expectTypeOf<InputTo<'deleteUser'>>().branded.toEqualTypeOf<{
      readonly organizationId: string;
      readonly userId: string;
    }>();
    expectTypeOf<{ organizationId: string }>().not.toExtend<InputTo<'deleteUser'>>();
  });

  it('ask for the body of the contract and nothing else', () => {
    expectTypeOf<InputTo<'createApiKey'>['body']>().branded.toEqualTypeOf<{
      name: string;
      permissions: KeyPermission[];
      expiresDateTime?: string | null;
    }>();
    expectTypeOf<{ organizationId: string }>().not.toExtend<InputTo<'createApiKey'>>();
    expectTypeOf<{
      organizationId: string;
      body: { name: number; permissions: KeyPermission[] };
    }>().not.toExtend<InputTo<'createApiKey'>>();
    expectTypeOf<{
      organizationId: string;
      body: { name: string; permissions: 'WriteDashboards'[] };
    }>().not.toExtend<InputTo<'createApiKey'>>();
  });

  it('let the query be left out, and fields of it that have a default', () => {
    expectTypeOf<{ organizationId: string }>().toExtend<InputTo<'listUsers'>>();
    expectTypeOf<NonNullable<InputTo<'listUsers'>['query']>>().branded.toEqualTypeOf<{
      search?: string;
      roles?: Role[];
      skip?: number;
      take?: number;
    }>();
  });

  it('take no input where the operation has none', () => {
    expectTypeOf<Parameters<Client['retrieveMe']>['length']>().toEqualTypeOf<0 | 1>();
    expectTypeOf<keyof InputTo<'retrieveMe'>>().toEqualTypeOf<'signal' | 'timeoutMs'>();
  });

  it('offer only the options that the operation honours', () => {
    expectTypeOf<OptionsTo<'listUsers'>>().toEqualTypeOf<'signal' | 'timeoutMs'>();
    expectTypeOf<OptionsTo<'createUser'>>().toEqualTypeOf<
      'signal' | 'timeoutMs' | 'idempotencyKey'
    >();
    expectTypeOf<OptionsTo<'updateUser'>>().toEqualTypeOf<'signal' | 'timeoutMs' | 'ifMatch'>();
    expectTypeOf<OptionsTo<'deleteUser'>>().toEqualTypeOf<'signal' | 'timeoutMs' | 'ifMatch'>();
    expectTypeOf<OptionsTo<'retrieveUser'>>().toEqualTypeOf<'signal' | 'timeoutMs'>();
  });

  it('answer the record of the contract, or nothing', () => {
    expectTypeOf<Awaited<ReturnType<Client['createApiKey']>>['secret']>().toEqualTypeOf<string>();
    expectTypeOf<Awaited<ReturnType<Client['retrieveApiKey']>>>().not.toHaveProperty('secret');
    expectTypeOf<Awaited<ReturnType<Client['deleteApiKey']>>>().toEqualTypeOf<undefined>();
    expectTypeOf<Awaited<ReturnType<Client['readMetrics']>>>().toEqualTypeOf<string>();
  });

  it('reckon with an unchanged record only where a tag was sent', () => {
    const input = { organizationId: 'o', userId: 'u' };
    const plain = () => client.request('retrieveUser', input);
    const tagged = () => client.request('retrieveUser', input, { ifNoneMatch: '"1-a"' });
    expectTypeOf<Awaited<ReturnType<typeof plain>>['status']>().toEqualTypeOf<200>();
    expectTypeOf<Awaited<ReturnType<typeof tagged>>['status']>().toEqualTypeOf<200 | 304>();
  });

  it('know the codes of a failure', () => {
    expectTypeOf<FieldwatchError['code']>().toEqualTypeOf<ErrorCode | 'UNRECOGNIZED'>();
  });
});
