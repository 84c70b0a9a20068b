import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { t } from '../lib/i18n.ts';
import { useTitle } from '../lib/use-title.ts';
import { Empty } from '../ui/states.tsx';

export function NotFound() {
  useTitle(t('Not found'));
  return (
    <Empty
      title={t("This page doesn't exist. It may have moved, or the link may be misspelled.")}
      action={
        <Button component={Link} to="/markets" variant="default">
          {t('Go to markets')}
        </Button>
      }
    />
  );
}
