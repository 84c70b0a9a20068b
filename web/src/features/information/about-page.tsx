import { t } from '../../lib/i18n.ts';
import { useContent } from '../../lib/queries/content.ts';
import { useTitle } from '../../lib/use-title.ts';
import { Page } from '../../ui/page.tsx';
import { Article } from './article.tsx';

export function AboutPage() {
  useTitle(t('About'));
  return (
    <Page title={t('About')} narrow>
      <Article text={useContent('about')} />
    </Page>
  );
}
