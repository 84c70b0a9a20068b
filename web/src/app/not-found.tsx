import { t } from '../lib/i18n.ts';
import { useTitle } from '../lib/use-title.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Empty } from '../ui/states.tsx';

export function NotFound() {
  useTitle(t('Not found'));
  return (
    <Empty
      title={t("This page doesn't exist. It may have moved, or the link may be misspelled.")}
      action={
        <ButtonLink to="/markets" variant="default">
          {t('Go to markets')}
        </ButtonLink>
      }
    />
  );
}
