import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { t } from '../../lib/i18n.ts';
import { useTitle } from '../../lib/use-title.ts';
import { Empty } from '../../ui/states.tsx';

export function UnavailablePage() {
  useTitle(t('Not available'));
  return (
    <Empty
      title={t('This Service is not yet available in your Country')}
      action={
        <Button component={Link} to="/wallet">
          {t('Back to wallet')}
        </Button>
      }
    />
  );
}
