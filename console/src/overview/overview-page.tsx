import { strings } from '../strings/index.ts';
import { Page } from '../ui/index.ts';

export function OverviewPage() {
  return <Page title={strings.overview.title}>{null}</Page>;
}
