import { formatDay } from '../../lib/format.ts';
import { msg, t } from '../../lib/i18n.ts';
import { useContent } from '../../lib/queries/content.ts';
import { useTitle } from '../../lib/use-title.ts';
import classes from '../../ui/markdown.module.css';
import { Page } from '../../ui/page.tsx';
import { Article } from './article.tsx';

const TITLES = { terms: msg('Terms of use'), privacy: msg('Privacy policy') } as const;

export const TermsPage = () => <LegalPage section="terms" />;
export const PrivacyPage = () => <LegalPage section="privacy" />;

function LegalPage({ section }: { readonly section: keyof typeof TITLES }) {
  const title = t(TITLES[section]);
  useTitle(title);
  const text = useContent(section);
  return (
    <Page title={title} narrow>
      {text.data && (
        <p className={classes.date}>
          {t('In effect since {{date}}', { date: formatDay(Date.parse(text.data.effective_on)) })}
        </p>
      )}
      <Article text={text} />
    </Page>
  );
}
