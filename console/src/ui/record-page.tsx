import { Anchor } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { failureText, isGone } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { Page } from './page.tsx';
import { Empty, Failed, Loading } from './states.tsx';

const words = strings.ui;

interface Props<T> {
  readonly query: UseQueryResult<T, Error>;
  /** The list of the record, linked when the record does not exist. */
  readonly list: { readonly title: string; readonly path: string };
  /** Other replies that its first view needs: what they add later would move the rest. */
  readonly beside?: readonly Pick<UseQueryResult, 'isLoading'>[];
  readonly children: (record: T) => ReactNode;
}

/** The page of one record, also while it loads and when it does not exist. */
export function RecordPage<T>({ query, list, beside = [], children }: Props<T>) {
  const { data, error, refetch } = query;
  if (isGone(error)) {
    const toList = (
      <Anchor component={Link} to={list.path}>
        {words.toList(list.title)}
      </Anchor>
    );
    return (
      <Page title={words.gone}>
        <Empty title={failureText(error)} action={toList}>
          {words.goneHint}
        </Empty>
      </Page>
    );
  }
  const isComplete = beside.every(({ isLoading }) => !isLoading);
  if (data !== undefined && isComplete) return <>{children(data)}</>;
  return (
    <Page title={list.title}>
      {error ? <Failed error={error} onRetry={() => void refetch()} /> : <Loading rows={5} />}
    </Page>
  );
}

/** Shown instead of a page for which the user has no permission. */
export function NotAllowed() {
  return (
    <Page title={words.notAllowed}>
      <Empty title={words.notAllowedHint} />
    </Page>
  );
}
